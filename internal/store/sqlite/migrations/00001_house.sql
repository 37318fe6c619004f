-- +goose Up
-- Money is in ten-thousandths of the currency unit, times are milliseconds since 1970, UTC.

CREATE TABLE player (
	number         INTEGER PRIMARY KEY,
	id             BLOB    NOT NULL UNIQUE CHECK (length(id) = 16),
	status         TEXT    NOT NULL DEFAULT 'active',
	excluded_until INTEGER NOT NULL DEFAULT 0,
	stake_cap      INTEGER,
	available      INTEGER NOT NULL DEFAULT 0 CHECK (available >= 0),
	unfinished     BLOB    NOT NULL DEFAULT x'',
	created        INTEGER NOT NULL
) STRICT;

CREATE TABLE session (
	digest  BLOB    NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
	player  INTEGER NOT NULL REFERENCES player (number),
	started INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
	number INTEGER PRIMARY KEY,
	name   TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE ledger_transaction (
	number    INTEGER PRIMARY KEY,
	kind      TEXT    NOT NULL,
	reference TEXT    NOT NULL,
	at        INTEGER NOT NULL
) STRICT;

CREATE TABLE posting (
	ledger_transaction INTEGER NOT NULL REFERENCES ledger_transaction (number),
	account            INTEGER NOT NULL REFERENCES account (number),
	amount             INTEGER NOT NULL CHECK (amount <> 0),
	PRIMARY KEY (ledger_transaction, account)
) STRICT, WITHOUT ROWID;

CREATE TABLE movement (
	number             INTEGER PRIMARY KEY,
	player             INTEGER NOT NULL REFERENCES player (number),
	amount             INTEGER NOT NULL,
	before             INTEGER NOT NULL,
	after              INTEGER NOT NULL,
	ledger_transaction INTEGER NOT NULL REFERENCES ledger_transaction (number),
	at                 INTEGER NOT NULL
) STRICT;
CREATE INDEX movement_player ON movement (player);

CREATE TABLE emission (
	number INTEGER PRIMARY KEY,
	game   TEXT    NOT NULL,
	stake  INTEGER NOT NULL,
	blocks INTEGER NOT NULL CHECK (blocks > 0),
	opened INTEGER NOT NULL
) STRICT;

CREATE TABLE block (
	number     INTEGER PRIMARY KEY,
	id         BLOB    NOT NULL UNIQUE CHECK (length(id) = 16),
	emission   INTEGER NOT NULL REFERENCES emission (number),
	position   INTEGER NOT NULL,
	version    INTEGER NOT NULL,
	game       TEXT    NOT NULL,
	definition BLOB    NOT NULL CHECK (length(definition) = 32),
	stake      INTEGER NOT NULL,
	price      INTEGER NOT NULL,
	size       INTEGER NOT NULL,
	root       BLOB    NOT NULL CHECK (length(root) = 32),
	commitment BLOB    NOT NULL CHECK (length(commitment) = 32),
	dealt      INTEGER NOT NULL,
	UNIQUE (emission, position)
) STRICT;

-- What changes of a block in its life. Its state never goes back.
CREATE TABLE block_sale (
	block     INTEGER PRIMARY KEY REFERENCES block (number),
	state     TEXT    NOT NULL CHECK (state IN ('dealt', 'sealed', 'approved', 'on-sale', 'sold-out', 'withdrawn', 'opened')),
	sold      INTEGER NOT NULL DEFAULT 0 CHECK (sold >= 0),
	sales     BLOB    NOT NULL DEFAULT x'',
	announced INTEGER NOT NULL DEFAULT 0 CHECK (announced >= 0) -- sales told to the public log
) STRICT;
CREATE INDEX block_sale_approved ON block_sale (block) WHERE state = 'approved';

-- Each step of a block's life, with who and why.
CREATE TABLE block_step (
	block INTEGER NOT NULL REFERENCES block (number),
	state TEXT    NOT NULL,
	at    INTEGER NOT NULL,
	by    TEXT    NOT NULL CHECK (by <> ''),
	why   TEXT    NOT NULL CHECK (why <> ''),
	PRIMARY KEY (block, state)
) STRICT, WITHOUT ROWID;

-- The public log: what is to be published, in the order of recording. Entries are written in the
-- transaction that they tell of and never change.
CREATE TABLE log_entry (
	number INTEGER PRIMARY KEY,
	kind   TEXT    NOT NULL,
	block  BLOB    CHECK (length(block) = 16), -- the block that it is about
	sold   INTEGER,                            -- sales that it tells of, where it does
	body   BLOB    NOT NULL CHECK (length(body) BETWEEN 2 AND 65535),
	at     INTEGER NOT NULL
) STRICT;
CREATE INDEX log_entry_block ON log_entry (block, kind, sold) WHERE block IS NOT NULL;
CREATE INDEX log_entry_kind ON log_entry (kind) WHERE block IS NULL;
CREATE INDEX log_entry_ceremony ON log_entry (number) WHERE kind = 'ceremony';

-- What is published: entries by their place in the log, from 0 without a gap.
CREATE TABLE log_leaf (
	position INTEGER PRIMARY KEY,
	entry    INTEGER NOT NULL UNIQUE REFERENCES log_entry (number)
) STRICT;

-- Hashes of the log's tree, numbered as they are stored: each subtree after its last leaf.
CREATE TABLE log_hash (
	position INTEGER PRIMARY KEY,
	hash     BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE log_checkpoint (
	size INTEGER PRIMARY KEY,
	root BLOB    NOT NULL CHECK (length(root) = 32),
	note BLOB    NOT NULL,
	at   INTEGER NOT NULL
) STRICT;

-- Signature lines of witnesses on a checkpoint.
CREATE TABLE log_cosignature (
	size    INTEGER NOT NULL REFERENCES log_checkpoint (size),
	witness TEXT    NOT NULL,
	line    TEXT    NOT NULL,
	PRIMARY KEY (size, witness)
) STRICT, WITHOUT ROWID;

-- Work that one node does at a time.
CREATE TABLE lease (
	name   TEXT    NOT NULL PRIMARY KEY,
	holder TEXT    NOT NULL,
	until  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE jackpot (
	name     TEXT    NOT NULL PRIMARY KEY,
	pot      INTEGER NOT NULL CHECK (pot >= 0),
	reserve  INTEGER NOT NULL CHECK (reserve >= 0),
	advances INTEGER NOT NULL CHECK (advances >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE lane (
	game       TEXT    NOT NULL,
	stake      INTEGER NOT NULL,
	number     INTEGER NOT NULL,
	version    INTEGER NOT NULL DEFAULT 0,
	block      INTEGER REFERENCES block (number),
	jackpot    TEXT    REFERENCES jackpot (name),
	draw_block INTEGER REFERENCES block (number),
	pot        INTEGER NOT NULL DEFAULT 0 CHECK (pot >= 0),
	reserve    INTEGER NOT NULL DEFAULT 0 CHECK (reserve >= 0),
	advances   INTEGER NOT NULL DEFAULT 0 CHECK (advances >= 0),
	PRIMARY KEY (game, stake, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE play (
	number       INTEGER PRIMARY KEY,
	id           BLOB    NOT NULL CHECK (length(id) = 16),
	key          BLOB    NOT NULL CHECK (length(key) = 16),
	request      BLOB    NOT NULL CHECK (length(request) = 16),
	player       INTEGER NOT NULL REFERENCES player (number) DEFERRABLE INITIALLY DEFERRED,
	at           INTEGER NOT NULL,
	block        INTEGER NOT NULL REFERENCES block (number) DEFERRABLE INITIALLY DEFERRED,
	position     INTEGER NOT NULL,
	game_part    INTEGER NOT NULL CHECK (game_part > 0),
	jackpot_part INTEGER NOT NULL CHECK (jackpot_part >= 0),
	prize        INTEGER NOT NULL CHECK (prize >= 0),
	prize_due    INTEGER NOT NULL,
	layout       BLOB    NOT NULL,
	salt         BLOB    NOT NULL CHECK (length(salt) = 16),
	draw_block   INTEGER REFERENCES block (number) DEFERRABLE INITIALLY DEFERRED,
	draw         INTEGER,
	draw_salt    BLOB,
	won          INTEGER NOT NULL DEFAULT 0 CHECK (won >= 0),
	won_due      INTEGER NOT NULL DEFAULT 0,
	before       INTEGER NOT NULL CHECK (before >= 0),
	after        INTEGER NOT NULL CHECK (after >= 0)
) STRICT;
CREATE UNIQUE INDEX play_unit ON play (block, position);
CREATE UNIQUE INDEX play_draw ON play (draw_block, draw) WHERE draw_block IS NOT NULL;
CREATE UNIQUE INDEX play_key ON play (key);
CREATE UNIQUE INDEX play_id ON play (id);
CREATE INDEX play_player ON play (player, at);

CREATE TABLE choice (
	play  INTEGER PRIMARY KEY REFERENCES play (number),
	cells BLOB    NOT NULL,
	at    INTEGER NOT NULL
) STRICT;

-- What is recorded never changes (R-187).
-- +goose StatementBegin
CREATE TRIGGER play_stays BEFORE UPDATE ON play BEGIN SELECT RAISE(ABORT, 'recorded plays never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER play_kept BEFORE DELETE ON play BEGIN SELECT RAISE(ABORT, 'recorded plays are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER choice_stays BEFORE UPDATE ON choice BEGIN SELECT RAISE(ABORT, 'recorded choices never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER choice_kept BEFORE DELETE ON choice BEGIN SELECT RAISE(ABORT, 'recorded choices are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ledger_transaction_stays BEFORE UPDATE ON ledger_transaction BEGIN SELECT RAISE(ABORT, 'recorded transactions never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ledger_transaction_kept BEFORE DELETE ON ledger_transaction BEGIN SELECT RAISE(ABORT, 'recorded transactions are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER posting_stays BEFORE UPDATE ON posting BEGIN SELECT RAISE(ABORT, 'recorded postings never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER posting_kept BEFORE DELETE ON posting BEGIN SELECT RAISE(ABORT, 'recorded postings are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER movement_stays BEFORE UPDATE ON movement BEGIN SELECT RAISE(ABORT, 'recorded movements never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER movement_kept BEFORE DELETE ON movement BEGIN SELECT RAISE(ABORT, 'recorded movements are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER block_stays BEFORE UPDATE ON block BEGIN SELECT RAISE(ABORT, 'recorded blocks never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER block_kept BEFORE DELETE ON block BEGIN SELECT RAISE(ABORT, 'recorded blocks are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER block_sale_forward BEFORE UPDATE ON block_sale
WHEN NEW.sold < OLD.sold OR NEW.announced < OLD.announced OR NEW.announced > NEW.sold OR NEW.state <> OLD.state AND NOT (
	OLD.state = 'dealt' AND NEW.state IN ('sealed', 'withdrawn') OR OLD.state = 'sealed' AND NEW.state IN ('approved', 'withdrawn') OR
	OLD.state = 'approved' AND NEW.state IN ('on-sale', 'withdrawn') OR OLD.state = 'on-sale' AND NEW.state IN ('sold-out', 'withdrawn') OR
	OLD.state IN ('sold-out', 'withdrawn') AND NEW.state = 'opened')
BEGIN SELECT RAISE(ABORT, 'the life of a block never goes back'); END;
-- +goose StatementEnd
-- A block whose seal is not in the public log cannot be approved, and so not be sold (R-145).
-- +goose StatementBegin
CREATE TRIGGER block_sale_sealed BEFORE UPDATE OF state ON block_sale
WHEN NEW.state IN ('sealed', 'approved', 'on-sale') AND NOT EXISTS (SELECT 1 FROM block b JOIN log_entry e ON e.block = b.id AND e.kind = 'seal'
	JOIN log_leaf l ON l.entry = e.number WHERE b.number = NEW.block)
BEGIN SELECT RAISE(ABORT, 'a block is not sold before its seal is in the public log'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER block_sale_only_on_sale BEFORE UPDATE OF sold ON block_sale WHEN NEW.sold > OLD.sold AND OLD.state <> 'on-sale'
BEGIN SELECT RAISE(ABORT, 'only a block on sale is sold'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER block_step_stays BEFORE UPDATE ON block_step BEGIN SELECT RAISE(ABORT, 'recorded steps of blocks never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER block_step_kept BEFORE DELETE ON block_step BEGIN SELECT RAISE(ABORT, 'recorded steps of blocks are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_entry_stays BEFORE UPDATE ON log_entry BEGIN SELECT RAISE(ABORT, 'recorded entries of the public log never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_entry_kept BEFORE DELETE ON log_entry BEGIN SELECT RAISE(ABORT, 'recorded entries of the public log are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_leaf_stays BEFORE UPDATE ON log_leaf BEGIN SELECT RAISE(ABORT, 'recorded places in the public log never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_leaf_kept BEFORE DELETE ON log_leaf BEGIN SELECT RAISE(ABORT, 'recorded places in the public log are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_hash_stays BEFORE UPDATE ON log_hash BEGIN SELECT RAISE(ABORT, 'recorded hashes of the public log never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_hash_kept BEFORE DELETE ON log_hash BEGIN SELECT RAISE(ABORT, 'recorded hashes of the public log are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_checkpoint_stays BEFORE UPDATE ON log_checkpoint BEGIN SELECT RAISE(ABORT, 'recorded checkpoints never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_checkpoint_kept BEFORE DELETE ON log_checkpoint BEGIN SELECT RAISE(ABORT, 'recorded checkpoints are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_cosignature_stays BEFORE UPDATE ON log_cosignature BEGIN SELECT RAISE(ABORT, 'recorded cosignatures never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_cosignature_kept BEFORE DELETE ON log_cosignature BEGIN SELECT RAISE(ABORT, 'recorded cosignatures are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER emission_stays BEFORE UPDATE ON emission BEGIN SELECT RAISE(ABORT, 'recorded emissions never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER emission_kept BEFORE DELETE ON emission BEGIN SELECT RAISE(ABORT, 'recorded emissions are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_stays BEFORE UPDATE ON account BEGIN SELECT RAISE(ABORT, 'recorded accounts of the ledger never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_kept BEFORE DELETE ON account BEGIN SELECT RAISE(ABORT, 'recorded accounts of the ledger are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER block_sale_kept BEFORE DELETE ON block_sale BEGIN SELECT RAISE(ABORT, 'the sale of a block is never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER player_kept BEFORE DELETE ON player BEGIN SELECT RAISE(ABORT, 'recorded players are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER player_named BEFORE UPDATE OF number, id, created ON player BEGIN SELECT RAISE(ABORT, 'recorded players never change their identity'); END;
-- +goose StatementEnd
