// The codes of all that can be found wrong: receipt.md, and publication.md, sections 2 and 3.

export const receiptCodes = [
  "receipt_malformed", "checkpoint_signature_wrong", "cosignature_missing", "seal_not_in_log", "inclusion_not_proven", "play_wrong",
  "sale_not_in_log", "sale_not_proven", "win_wrong", "price_wrong",
] as const;

export const logCodes = [
  "log_unreadable", "checkpoint_signature_wrong", "cosignature_missing", "log_root_wrong", "log_rolled_back", "split_view",
  "entry_malformed", "definition_unknown", "emission_unknown", "block_sealed_twice", "place_taken_twice", "ceremony_wrong",
  "block_unknown", "approval_wrong", "sale_not_allowed", "sales_go_back", "opened_too_early", "time_goes_back",
] as const;

export const blockCodes = [
  "definition_missing", "definition_wrong", "commitment_wrong", "share_wrong", "beacon_wrong", "mix_wrong", "secret_derivable",
  "layout_not_prize", "prizes_not_table", "root_wrong", "leaf_wrong", "tiles_wrong", "tiles_missing", "sales_missing",
  "sale_not_of_unit", "sales_root_wrong", "sale_late", "win_missing", "win_wrong",
] as const;

export type ReceiptCode = (typeof receiptCodes)[number];
export type LogCode = (typeof logCodes)[number];
export type BlockCode = (typeof blockCodes)[number];

/** One thing that is wrong: its code, the place, and what it is in words. */
export interface Finding<Code extends string = LogCode | BlockCode | ReceiptCode> { code: Code; where: string; what: string }

/** Input that cannot be used, which is no finding about the operator. */
export class InputError extends Error {
  constructor(readonly code: "key_malformed" | "ed25519_missing" | "block_not_open" | "link_malformed" | "play_not_published" | "too_large" | "file_unreadable", message: string) { super(message); }
}
