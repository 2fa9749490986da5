import { resolve } from "node:path";
import {
  FolderSkillProvider,
  S3SkillProvider,
  type SkillSource,
  SkillSourceError,
} from "grove-session/skills";
import type { SourceBlock } from "@/lib/chat/core/owner-data";
import type { Environment } from "@/lib/llm";

const s3Variables = [
  "ENDPOINT",
  "REGION",
  "BUCKET",
  "PREFIX",
  "ACCESS_KEY_ID",
  "SECRET_ACCESS_KEY",
] as const;
const requiredS3Variables = ["BUCKET", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"] as const;

/** Invalid settings must not keep the server from starting. */
export function readSourceBlocks(environment: Environment): SourceBlock[] {
  return [folderBlock(environment), bucketBlock(environment)].filter((block) => block !== null);
}

function folderBlock({ GROVE_SKILLS_DIR }: Environment): SourceBlock | null {
  if (!GROVE_SKILLS_DIR?.trim()) return null;
  const folder = resolve(GROVE_SKILLS_DIR.trim());
  return {
    label: "skills-folder",
    description: "Guides from a folder. A file that a guide names loads as <key>/<file>",
    origin: `The folder ${folder}`,
    source: new FolderSkillProvider(folder),
  };
}

function bucketBlock(environment: Environment): SourceBlock | null {
  const set = Object.fromEntries(
    s3Variables.map((name) => [name, environment[`GROVE_SKILLS_S3_${name}`]?.trim() || undefined]),
  );
  if (s3Variables.every((name) => set[name] === undefined)) return null;
  return {
    label: "skills-bucket",
    description: "Guides from a bucket. A file that a guide names loads as <key>/<file>",
    origin: bucketOrigin(set),
    source: bucketSource(set),
  };
}

function bucketOrigin({ BUCKET, ENDPOINT, PREFIX }: Environment): string {
  const host = ENDPOINT && URL.canParse(ENDPOINT) ? ` at ${new URL(ENDPOINT).host}` : "";
  return `The bucket ${BUCKET ?? "without a name"}${host}${PREFIX ? `, under ${PREFIX}` : ""}`;
}

function bucketSource(set: Environment): SkillSource {
  const missing = requiredS3Variables.find((name) => set[name] === undefined);
  if (missing) return brokenSource(`GROVE_SKILLS_S3_${missing} is not set.`);
  try {
    return new S3SkillProvider({
      endpoint: set.ENDPOINT,
      region: set.REGION,
      bucket: set.BUCKET ?? "",
      prefix: set.PREFIX,
      accessKeyId: set.ACCESS_KEY_ID ?? "",
      secretAccessKey: set.SECRET_ACCESS_KEY ?? "",
    });
  } catch (error) {
    if (!(error instanceof SkillSourceError)) throw error;
    return brokenSource("GROVE_SKILLS_S3_ENDPOINT must be an http or https address.");
  }
}

function brokenSource(problem: string): SkillSource {
  const refuse = async () => {
    throw new SkillSourceError(problem);
  };
  return { get: refuse, list: refuse, load: refuse };
}
