import { rm } from "node:fs/promises";
import { runCommand } from "@/lib/commands/run-command";
import { runGrove } from "@/lib/commands/run-grove";
import { temporaryDataDir } from "@/lib/postgres/testing/temporary-data-dir";

// Grove as a new person gets it: an empty data folder, no key, whatever this machine's own `.env` says.
const unset = [
  "HOST",
  "ANTHROPIC_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "OPENAI_API_KEY",
  "OPENAI_COMPATIBLE_BASE_URL",
];

const skillSources = [
  "GROVE_SKILLS_DIR",
  "GROVE_SKILLS_S3_ENDPOINT",
  "GROVE_SKILLS_S3_REGION",
  "GROVE_SKILLS_S3_BUCKET",
  "GROVE_SKILLS_S3_PREFIX",
  "GROVE_SKILLS_S3_ACCESS_KEY_ID",
  "GROVE_SKILLS_S3_SECRET_ACCESS_KEY",
];

await runCommand(async (signal) => {
  const dataDir = await temporaryDataDir();
  try {
    await runGrove({
      mode: "production",
      projectDir: process.cwd(),
      environment: {
        ...process.env,
        ...Object.fromEntries(unset.map((name) => [name, ""])),
        // The test that wants these sets them, never this machine's own `.env`.
        ...Object.fromEntries(skillSources.map((name) => [name, process.env[name] ?? ""])),
        DATABASE_URL: process.env.GROVE_E2E_DATABASE_URL ?? "",
        GROVE_DATA_DIR: dataDir,
        // Quick, and still slow enough to be seen writing.
        GROVE_DEMO_DELAY_MS: process.env.GROVE_DEMO_DELAY_MS ?? "15",
      },
      hasTestOwners: true,
      signal,
      say: (line) => console.info(line),
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
