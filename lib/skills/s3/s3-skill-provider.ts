import { Bucket, type BucketObject, type BucketSettings } from "../../s3/bucket";
import { encodeMetadata } from "../../s3/metadata-text";
import { InvalidArgumentError } from "../../session";
import { parseSkill } from "../../session/parse-skill";
import { inParallel } from "../in-parallel";
import { type AllowedKeys, isAllowed, pathSegments } from "../skill-key";
import { byKey, skillListing } from "../skill-listing";
import { type ListedSkill, type SkillSource, SkillSourceError } from "../skill-source";
import { assertNotTooLarge, decodeSkillText, defaultMaxBytes } from "../skill-text";

export interface S3SkillOptions extends BucketSettings {
  /** Keys omit the prefix. Default: none. */
  readonly prefix?: string | undefined;
  /** Only these skills, with their files. Default: all. */
  readonly keys?: AllowedKeys;
  /** Default 256 KB. */
  readonly maxBytes?: number | undefined;
  /** More objects are an error. Default 5,000. */
  readonly maxObjects?: number | undefined;
  /** Lifetime of a cached listing. Default 10,000 ms. */
  readonly freshForMs?: number | undefined;
}

interface FoundSkill {
  readonly key: string;
  readonly object: BucketObject;
}

interface Described {
  readonly etag: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly problem: string | null;
}

type Listing = ReadonlyMap<string, { readonly object: BucketObject; readonly skill: ListedSkill }>;

const requestsAtOnce = 32;
/** Fits the front matter, whose description has at most 1,024 characters. */
const headBytes = 8 * 1_024;
/** S3 allows 2 KB of metadata. */
const maxDescriptionBytes = 1_900;
const frontMatter = /^\uFEFF?---[ \t]*\r?\n/;
/** Brief, so that a person can retry soon. */
const failedForMs = 2_000;
const skillFileEnd = "/SKILL.md";
const bytesPerToken = 4;

/**
 * An object's name without the prefix is its key; its description comes from its metadata, else its front matter. A
 * folder with a `SKILL.md` is one skill; objects beside it load as `key/file`.
 */
export class S3SkillProvider implements SkillSource {
  readonly #bucket: Bucket;
  readonly #options: S3SkillOptions;
  readonly #described = new Map<string, Described>();
  #kept: { until: number; readonly listing: Promise<Listing> } | null = null;

  /** @throws {SkillSourceError} for an invalid endpoint. */
  constructor(options: S3SkillOptions) {
    this.#options = options;
    this.#bucket = new Bucket(options, SkillSourceError);
  }

  /** @throws {SkillSourceError} naming the bucket. */
  async get(): Promise<string | null> {
    return skillListing(await this.list());
  }

  async list(): Promise<ListedSkill[]> {
    return [...(await this.#list()).values()].map(({ skill }) => skill);
  }

  /**
   * Instructions without front matter, or a file verbatim; `null` for an unknown key. @throws {SkillSourceError} when
   * it exists but cannot be loaded.
   */
  async load(key: string): Promise<string | null> {
    // `..` would change the address.
    if (pathSegments(key) === null || !isAllowed(this.#options.keys, key)) return null;
    const known = (await this.#list()).get(key);
    const { maxBytes = defaultMaxBytes } = this.#options;
    if (known) assertNotTooLarge(key, known.object.size, maxBytes);
    const part = await this.#bucket.read(known?.object.name ?? this.#nameOf(key), maxBytes + 1);
    if (!part) return null;
    assertNotTooLarge(key, part.bytes.length, maxBytes);
    const text = decodeSkillText(key, part.bytes);
    return known && frontMatter.test(text) ? parseSkill(text, key).content : text;
  }

  /**
   * Keeps the description unless given; an empty one clears it. @throws {InvalidArgumentError} for a key or description
   * that an object cannot have.
   */
  async set(key: string, content: string, description?: string): Promise<void> {
    if (pathSegments(key) === null || !isAllowed(this.#options.keys, key)) {
      throw new InvalidArgumentError(`“${key}” cannot be the key of a skill in a bucket.`);
    }
    if (encodeMetadata(description ?? "").length > maxDescriptionBytes) {
      throw new InvalidArgumentError(`The description of “${key}” is too long for a bucket.`);
    }
    const known = (await this.#list()).get(key);
    const name = known?.object.name ?? this.#nameOf(key);
    await this.#bucket.write(name, content, {
      type: "text/markdown",
      description: (description ?? known?.skill.description) || null,
    });
    // A new description alone leaves the ETag unchanged.
    this.#described.delete(name);
    this.#kept = null;
  }

  async #list(): Promise<Listing> {
    if (this.#kept && performance.now() < this.#kept.until) return this.#kept.listing;
    const { freshForMs = 10_000 } = this.#options;
    const kept = { until: performance.now() + freshForMs, listing: this.#readListing() };
    this.#kept = kept;
    try {
      return await kept.listing;
    } catch (error) {
      kept.until = performance.now() + Math.min(freshForMs, failedForMs);
      throw error;
    }
  }

  async #readListing(): Promise<Listing> {
    const { prefix = "", maxObjects = 5_000, keys } = this.#options;
    const objects = await this.#bucket.list(prefix, maxObjects);
    const found = skillsAmong(objects, prefix)
      .filter(({ key }) => isAllowed(keys, key))
      .sort(byKey);
    const described = await inParallel(found, requestsAtOnce, (skill) => this.#describe(skill));
    const names = new Set(found.map(({ object }) => object.name));
    for (const name of this.#described.keys()) if (!names.has(name)) this.#described.delete(name);
    return new Map(
      found.map(({ key, object }, at) => [
        key,
        { object, skill: listed(key, object, described[at]) },
      ]),
    );
  }

  /** Metadata only comes with the content. */
  async #describe({ key, object }: FoundSkill): Promise<Described> {
    const known = this.#described.get(object.name);
    if (known?.etag === object.etag) return known;
    const part = await this.#bucket.read(object.name, headBytes);
    const described = {
      etag: object.etag,
      ...this.#describedBy(key, object, part),
      ...(part?.description && { description: part.description }),
    };
    this.#described.set(object.name, described);
    return described;
  }

  #describedBy(
    key: string,
    object: BucketObject,
    part: { readonly bytes: Uint8Array } | null,
  ): Omit<Described, "etag"> {
    const { maxBytes = defaultMaxBytes } = this.#options;
    try {
      if (!part) throw new SkillSourceError(`“${key}” is gone.`);
      if (object.size === 0) throw new SkillSourceError(`“${key}” is empty.`);
      assertNotTooLarge(key, object.size, maxBytes);
      const text = decodeSkillText(key, withoutCutCharacter(part.bytes, object.size));
      const { title, description } = parseSkill(text, key);
      return { title, description, problem: null };
    } catch (error) {
      if (!(error instanceof SkillSourceError)) throw error;
      return { title: null, description: null, problem: error.message };
    }
  }

  #nameOf(key: string): string {
    return `${this.#options.prefix ?? ""}${key}`;
  }
}

function skillsAmong(objects: readonly BucketObject[], prefix: string): FoundSkill[] {
  const named = objects.map((object) => ({ key: object.name.slice(prefix.length), object }));
  const possible = named.filter(({ key }) => pathSegments(key) !== null);
  const folders = new Set(
    possible.flatMap(({ key }) => (key.endsWith(skillFileEnd) ? [folderOf(key)] : [])),
  );
  const isBeside = (key: string) => parents(key).some((folder) => folders.has(folder));
  return possible.flatMap(({ key, object }) => {
    if (key.endsWith(skillFileEnd)) return [{ key: folderOf(key), object }];
    return isBeside(key) || folders.has(key) ? [] : [{ key, object }];
  });
}

function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/"));
}

function parents(key: string): string[] {
  const segments = key.split("/");
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join("/"));
}

function listed(key: string, { size, updatedAt }: BucketObject, about?: Described): ListedSkill {
  return {
    key,
    title: about?.title ?? key,
    description: about?.description ?? null,
    tokens: Math.ceil(size / bytesPerToken),
    updatedAt,
    problem: about?.problem ?? null,
  };
}

function withoutCutCharacter(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length >= size) return bytes;
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  return (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}
