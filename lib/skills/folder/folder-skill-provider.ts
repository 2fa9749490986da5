import { realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { estimateStringTokens } from "../../session";
import { parseSkill } from "../../session/parse-skill";
import { inParallel } from "../in-parallel";
import { type AllowedKeys, isAllowed, pathSegments } from "../skill-key";
import { byKey, skillListing } from "../skill-listing";
import { type ListedSkill, type SkillSource, SkillSourceError } from "../skill-source";
import { defaultMaxBytes } from "../skill-text";
import { findSkillFiles, type SkillFile } from "./find-skill-files";
import { readFileInside } from "./read-file-inside";

export interface FolderSkillOptions {
  /** Default 256 KB. */
  readonly maxBytes?: number | undefined;
  /** Only these skills, with their files. Default: all. */
  readonly keys?: AllowedKeys;
}

interface ReadSkill {
  readonly state: string;
  readonly skill: ListedSkill;
  readonly content: string;
}

const filesAtOnce = 16;

/**
 * Each subfolder with a `SKILL.md` is a skill, its path being the key; files beside it load as `key/file`. Nothing
 * outside the folder is ever read, whatever a key or a link says.
 *
 * @see https://agentskills.io/specification
 */
export class FolderSkillProvider implements SkillSource {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #keys: AllowedKeys;
  #known = new Map<string, ReadSkill>();

  constructor(folder: string, { maxBytes = defaultMaxBytes, keys }: FolderSkillOptions = {}) {
    this.#folder = folder;
    this.#keys = keys;
    this.#maxBytes = maxBytes;
  }

  /** @throws {SkillSourceError} when the folder cannot be read. */
  async get(): Promise<string | null> {
    return skillListing(await this.list());
  }

  async list(): Promise<ListedSkill[]> {
    const { skills } = await this.#read();
    return [...skills.values()].map(({ skill }) => skill);
  }

  /**
   * Instructions without front matter, or a file verbatim; `null` for an unknown key. @throws {SkillSourceError} when
   * it exists but cannot be loaded.
   */
  async load(key: string): Promise<string | null> {
    if (pathSegments(key) === null || !isAllowed(this.#keys, key)) return null;
    const { root, skills, files } = await this.#read();
    const read = skills.get(key);
    if (read?.skill.problem) throw new SkillSourceError(`“${key}”: ${read.skill.problem}`);
    if (read) return read.content;
    const holder = files.filter((file) => key.startsWith(`${file.key}/`) && !file.problem).at(-1);
    if (!holder) return null;
    const path = join(holder.folder, key.slice(holder.key.length + 1));
    const file = await readFileInside(path, { root, name: key, maxBytes: this.#maxBytes });
    return file?.text ?? null;
  }

  async #read() {
    const root = await realRoot(this.#folder);
    const files = (await findSkillFiles(root))
      .filter(({ key }) => isAllowed(this.#keys, key))
      .sort(byKey);
    const read = await inParallel(files, filesAtOnce, (file) => this.#readSkill(root, file));
    const skills = new Map(read.map((each) => [each.skill.key, each]));
    this.#known = skills;
    return { root, skills, files };
  }

  async #readSkill(root: string, file: SkillFile): Promise<ReadSkill> {
    const state = await stateOf(file);
    const known = this.#known.get(file.key);
    if (known && state !== null && known.state === state) return known;
    return { state: state ?? "", ...(await this.#readAnew(root, file)) };
  }

  async #readAnew(root: string, { key, path, problem }: SkillFile) {
    if (problem !== null) return broken(key, problem);
    if (pathSegments(key) === null) return broken(key, "its name holds signs a key cannot have");
    try {
      const file = await readFileInside(path, { root, name: "SKILL.md", maxBytes: this.#maxBytes });
      if (!file) return broken(key, "“SKILL.md” is gone.");
      const { title, description, content } = parseSkill(file.text, basename(key));
      if (content === "") return broken(key, "“SKILL.md” has no instructions in it.");
      const { updatedAt } = file;
      const tokens = estimateStringTokens(content);
      return { skill: { key, title, description, tokens, updatedAt, problem: null }, content };
    } catch (error) {
      if (error instanceof SkillSourceError) return broken(key, error.message);
      throw error;
    }
  }
}

function broken(key: string, problem: string) {
  const nothing = { description: null, tokens: 0, updatedAt: new Date(0) };
  return { skill: { key, title: basename(key), ...nothing, problem }, content: "" };
}

async function stateOf({ path, problem }: SkillFile): Promise<string | null> {
  if (problem !== null) return null;
  const facts = await stat(path, { bigint: true }).catch(() => null);
  // Two writes within a clock tick may differ only in size.
  return facts && [facts.mtimeNs, facts.ctimeNs, facts.size, facts.ino].join(" ");
}

async function realRoot(folder: string): Promise<string> {
  try {
    const root = await realpath(folder);
    if ((await stat(root)).isDirectory()) return root;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") {
      throw new SkillSourceError(`The folder ${folder} does not exist.`, { cause: error });
    }
    throw new SkillSourceError(`The folder ${folder} cannot be read (${code}).`, { cause: error });
  }
  throw new SkillSourceError(`${folder} is not a folder.`);
}
