import {
  address,
  choice,
  flag,
  number,
  path,
  type Setting,
  secret,
  shaped,
  text,
} from "./setting-kinds";

const postgres = {
  protocols: /^postgres(ql)?:$/,
  example: "postgres://user:password@host:5432/name",
};
const http = { protocols: /^https?:$/, example: "https://host/path" };

const start = {
  PORT: number("Port to listen on", { fallback: 3000, min: 1, max: 65_535 }),
  HOST: text("Address to listen on; others than this machine's need `GROVE_ORIGIN`", "127.0.0.1"),
  GROVE_DATA_DIR: path(
    "Folder of the embedded database, the encryption key, and answers that a database could not take yet",
    ".grove",
  ),
  GROVE_DRAIN_SECONDS: number(
    "Seconds for running answers when Grove is stopped; then they are marked as interrupted",
    { fallback: 10, min: 0, max: 3_600, isWhole: false },
  ),
};

const database = {
  DATABASE_URL: address("Your own Postgres 15 or newer", {
    ...postgres,
    usual: "the embedded one",
  }),
  DATABASE_DIRECT_URL: address(
    "The same database without its pooler, where `DATABASE_URL` is that of one ([deployment](deployment.md#a-pooler))",
    { ...postgres, usual: "`DATABASE_URL`" },
  ),
  SECRETS_KEY_FILE: path(
    "File of the key that encrypts provider keys",
    "`secrets.key` in the data folder",
  ),
  GROVE_KEEP_DELETED_DAYS: number("Days until what was deleted is removed for good", {
    fallback: 30,
    min: 0,
    max: 36_500,
    isWhole: false,
  }),
  GROVE_UPGRADE_WITHOUT_BACKUP: flag(
    "`1` upgrades the database though it could not be backed up first; for one start",
    false,
  ),
};

const files = {
  GROVE_MAX_FILE_MB: number("Megabytes of the largest attached file ([files](files.md))", {
    fallback: 25,
    min: 1,
    max: 2_000,
    isWhole: false,
  }),
  GROVE_FILES_S3_BUCKET: text("Bucket for attached files, instead of the database"),
  GROVE_FILES_S3_ENDPOINT: address("Address of its service", { ...http, usual: "Amazon's" }),
  GROVE_FILES_S3_REGION: text("Its region", "auto"),
  GROVE_FILES_S3_PREFIX: text("Folder in it"),
  GROVE_FILES_S3_ACCESS_KEY_ID: secret("Name of the key for it"),
  GROVE_FILES_S3_SECRET_ACCESS_KEY: secret("The key for it"),
};

const models = {
  ANTHROPIC_API_KEY: secret("Key of Anthropic"),
  OPENAI_API_KEY: secret("Key of OpenAI"),
  GOOGLE_GENERATIVE_AI_API_KEY: secret("Key of Google"),
  ANTHROPIC_BASE_URL: text("A proxy or gateway of your own for Anthropic", "the provider's"),
  OPENAI_BASE_URL: text("The same for OpenAI", "the provider's"),
  GOOGLE_GENERATIVE_AI_BASE_URL: text("The same for Google", "the provider's"),
  OPENAI_COMPATIBLE_BASE_URL: text("Any server that speaks OpenAI's protocol"),
  OPENAI_COMPATIBLE_API_KEY: secret("Its key, if it needs one"),
  OPENAI_COMPATIBLE_NAME: text("Its name in lists", "its host"),
  GROVE_DISCOVER_LOCAL: flag("`0` turns the detection of local model servers off", true),
  GROVE_LOCAL_PORTS: shaped("Their ports, if not the usual ones", {
    shape: /^\s*[\w.-]+\s*=\s*\d{1,5}\s*(,\s*[\w.-]+\s*=\s*\d{1,5}\s*)*,?$/,
    rule: "list names and ports, as in ollama=11500,vllm=9000",
  }),
  GROVE_MODEL_FIRST_BYTE_SECONDS: number(
    "Longest silence of a provider before an answer; four times as long for models that reason and local servers, at most 290",
    { fallback: 60, min: 0.001, max: 290, isWhole: false },
  ),
  GROVE_MODEL_NEXT_BYTE_SECONDS: number("The same within an answer", {
    fallback: 60,
    min: 0.001,
    max: 290,
    isWhole: false,
  }),
  GROVE_MAX_ANSWER_CHARACTERS: number("Characters at which an answer ends", {
    fallback: 1_000_000,
    min: 1_000,
    max: 4_000_000,
  }),
  GROVE_MAX_RUNNING_ANSWERS: number(
    "Answers of one owner that may be written at once, and summaries",
    { fallback: 8, min: 1, max: 1_000 },
  ),
  GROVE_UNPRICED_INPUT_DOLLARS: number(
    "Dollars that limits count for a million tokens read by a model of yours without a known price ([accounts](accounts.md))",
    { fallback: 3, min: 0, max: 1_000_000, isWhole: false },
  ),
  GROVE_UNPRICED_OUTPUT_DOLLARS: number("The same for a million tokens that it writes", {
    fallback: 15,
    min: 0,
    max: 1_000_000,
    isWhole: false,
  }),
  GROVE_DEMO_DELAY_MS: number("Milliseconds that the demo model pauses after each word", {
    fallback: 32,
    min: 0,
    max: 60_000,
    isWhole: false,
  }),
};

const tools = {
  GROVE_MCP_CONFIG: path("JSON file of MCP servers to run as programs ([tools](tools.md))"),
  GROVE_SKILLS_DIR: path("Folder of `SKILL.md` files for every chat ([skills](skills.md))"),
  GROVE_SKILLS_S3_BUCKET: text("The same from an S3-compatible bucket"),
  GROVE_SKILLS_S3_ENDPOINT: text("Address of its service", "Amazon's"),
  GROVE_SKILLS_S3_REGION: text("Its region", "auto"),
  GROVE_SKILLS_S3_PREFIX: text("Folder in it"),
  GROVE_SKILLS_S3_ACCESS_KEY_ID: secret("Name of the key for it"),
  GROVE_SKILLS_S3_SECRET_ACCESS_KEY: secret("The key for it"),
};

const backups = {
  GROVE_BACKUP_EVERY: shaped("Time between scheduled backups ([backup](backup.md))", {
    shape: /^(0|0*[1-9]\d{0,3}\s*[mhd])$/,
    rule: "be a time such as 30m, 12h or 1d",
    usual: "none are made",
  }),
  GROVE_BACKUP_KEEP: number("Scheduled backups that are kept", { fallback: 7, min: 1, max: 9_999 }),
  GROVE_BACKUP_DIR: path("Their folder", "`backups` in the data folder"),
  GROVE_BACKUP_S3_BUCKET: text("A bucket instead of a folder"),
  GROVE_BACKUP_S3_ENDPOINT: address("Address of its service", { ...http, usual: "Amazon's" }),
  GROVE_BACKUP_S3_REGION: text("Its region", "auto"),
  GROVE_BACKUP_S3_PREFIX: text("Folder in it"),
  GROVE_BACKUP_S3_ACCESS_KEY_ID: secret("Name of the key for it"),
  GROVE_BACKUP_S3_SECRET_ACCESS_KEY: secret("The key for it"),
};

const operation = {
  GROVE_LOG: choice("Form of the log: `text` or `json`", {
    values: ["text", "json"],
    usual: "`text` in a terminal, else `json`",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(
    "Where OpenTelemetry traces go, over HTTP ([deployment](deployment.md#traces))",
    { ...http, example: "http://collector:4318" },
  ),
  GROVE_METRICS_TOKEN: secret(
    "Token that opens `/metrics` to Prometheus ([deployment](deployment.md#metrics))",
    { minLength: 16 },
  ),
};

type OidcName = "DISCOVERY_URL" | "CLIENT_ID" | "CLIENT_SECRET" | "NAME" | "SCOPES";

function oidc<Number extends "" | "_2" | "_3">(number: Number, which: string) {
  const declared: Readonly<Record<string, Setting<string | null>>> = {
    [`GROVE_OIDC${number}_DISCOVERY_URL`]: address(
      `Address of ${which}, with or without its \`/.well-known/openid-configuration\``,
      http,
    ),
    [`GROVE_OIDC${number}_CLIENT_ID`]: text("Name by which it knows Grove"),
    [`GROVE_OIDC${number}_CLIENT_SECRET`]: secret("Secret it gave Grove, if any"),
    [`GROVE_OIDC${number}_NAME`]: text("Its name on the sign-in page", "its host"),
    [`GROVE_OIDC${number}_SCOPES`]: text("Scopes to ask for", "openid profile email"),
  };
  return declared as Readonly<Record<`GROVE_OIDC${Number}_${OidcName}`, Setting<string | null>>>;
}

const accounts = {
  GROVE_ORIGIN: address(
    "Address that people open, which switches accounts on ([accounts](accounts.md))",
    { protocols: /^https?:$/, example: "https://grove.example" },
  ),
  GROVE_TRUSTED_PROXIES: number("Proxies in front, each of which appends to `X-Forwarded-For`", {
    fallback: 0,
    min: 0,
    max: 10,
  }),
  ...oidc("", "a sign-in server (OpenID Connect)"),
  ...oidc("_2", "a second one"),
  ...oidc("_3", "a third one"),
};

export const settingGroups: Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>> = {
  Start: start,
  Accounts: accounts,
  Database: database,
  Files: files,
  Models: models,
  "Tools and skills": tools,
  Backups: backups,
  Operation: operation,
};

export const settings = {
  ...start,
  ...accounts,
  ...database,
  ...files,
  ...models,
  ...tools,
  ...backups,
  ...operation,
};

export const internalNames =
  /^GROVE_(TEST|E2E)_|^GROVE_(IMPORT_OWNER|IMPORT_PERSON|IMPORT_CHOICES|PACK)$/;
