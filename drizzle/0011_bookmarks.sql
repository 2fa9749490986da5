-- A name makes a bookmark; earlier versions kept the two apart.
UPDATE "chat_message" SET "pinned" = true WHERE "label" IS NOT NULL AND NOT "pinned";
