import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

const algorithm = "aes-256-gcm";
const keyBytes = 32;
const tagBytes = 16;

/**
 * The key is stored beside the database, so that no backup reveals a secret. `context` is authenticated: an envelope
 * copied to another row or address does not open.
 */
export class SecretBox {
  readonly #keyFile: string;

  constructor(keyFile: string) {
    this.#keyFile = keyFile;
  }

  async seal(secret: string, context: string): Promise<string> {
    const nonce = randomBytes(12);
    const cipher = createCipheriv(algorithm, await this.#key(), nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return ["v1", nonce, cipher.getAuthTag(), sealed]
      .map((part) => (typeof part === "string" ? part : part.toString("base64url")))
      .join(".");
  }

  async open(envelope: string, context: string): Promise<string | null> {
    const [version, nonce = "", tag = "", sealed = ""] = envelope.split(".");
    if (version !== "v1") return null;
    try {
      const decipher = createDecipheriv(
        algorithm,
        await this.#key(),
        Buffer.from(nonce, "base64url"),
        // A truncated tag would be accepted, and is easily guessed.
        { authTagLength: tagBytes },
      )
        .setAAD(Buffer.from(context))
        .setAuthTag(Buffer.from(tag, "base64url"));
      return (
        decipher.update(Buffer.from(sealed, "base64url"), undefined, "utf8") +
        decipher.final("utf8")
      );
    } catch {
      // Authentication failed, which equals having no key.
      return null;
    }
  }

  async derive(purpose: string): Promise<string> {
    const derived = hkdfSync("sha256", await this.#key(), "grove", purpose, keyBytes);
    return Buffer.from(derived).toString("base64url");
  }

  async #key(): Promise<Buffer> {
    const present = await this.#read();
    if (present) return present;
    await this.#make();
    const made = await this.#read();
    if (!made)
      throw new Error(
        `The key file ${this.#keyFile} is not a key of ${keyBytes} bytes in hexadecimal.`,
      );
    return made;
  }

  /** The key file is linked into place, so that two processes agree on one key. */
  async #make(): Promise<void> {
    await mkdir(dirname(this.#keyFile), { recursive: true });
    const draft = `${this.#keyFile}.${randomBytes(6).toString("hex")}`;
    await writeFile(draft, randomBytes(keyBytes).toString("hex"), { mode: 0o600, flag: "wx" });
    try {
      await link(draft, this.#keyFile);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }

  async #read(): Promise<Buffer | null> {
    try {
      const key = Buffer.from((await readFile(this.#keyFile, "utf8")).trim(), "hex");
      return key.length === keyBytes ? key : null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }
}
