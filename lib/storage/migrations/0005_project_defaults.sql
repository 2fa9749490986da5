ALTER TABLE "account_space" ADD COLUMN "default_assistant" text;--> statement-breakpoint
ALTER TABLE "account_space" ADD COLUMN "icon" text;