package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"filippo.io/age"

	"github.com/talonlottery/talon/fault"
)

// recipientsFile lists the recipients that secrets are encrypted to besides the vault's own, one a line.
const recipientsFile = "recipients.txt"

// RecipientsMost is the most recipients besides the vault's own.
const RecipientsMost = 20

// openRecipients reads the folder's recipients, adds those that are new, durably, and gives all, the vault's own first.
func openRecipients(folder string, added []string, own age.Recipient) ([]age.Recipient, error) {
	kept, err := readRecipients(folder)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(kept)
	for _, one := range added {
		if one = strings.TrimSpace(one); !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	recipients, err := parseRecipients(all)
	if err != nil {
		return nil, err
	}
	if len(all) > len(kept) {
		err = writeDurably(folder, recipientsFile, 0o600, writeBytes([]byte(strings.Join(all, "\n")+"\n")))
	}
	return append([]age.Recipient{own}, recipients...), err
}

func readRecipients(folder string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(folder, recipientsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable(err)
	}
	return strings.Fields(string(text)), nil
}

func parseRecipients(texts []string) ([]age.Recipient, error) {
	if len(texts) > RecipientsMost {
		return nil, fault.New(fault.Invalid, "recipients_too_many", "%d recipients at most, not %d", RecipientsMost, len(texts)).
			Next("take some from %s", recipientsFile)
	}
	recipients := make([]age.Recipient, 0, len(texts))
	for _, text := range texts {
		parsed, err := age.ParseX25519Recipient(text)
		if err != nil {
			return nil, fault.New(fault.Invalid, "recipient_malformed", "%q is not an age recipient (age1…)", text).
				Next("give a recipient as `age-keygen -y` or `talon vault split` prints it")
		}
		recipients = append(recipients, parsed)
	}
	return recipients, nil
}
