const maxKeyLength = 80;

/** Writing the same content again updates in place. */
export function entryKeyOf(content: string): string {
  return `${beginningOf(slugOf(content.slice(0, maxKeyLength)))}-${hashOf(content)}`;
}

/** A short hash keeps apart titles whose readable form is the same ("C++" and "C#" both give "c"). */
export function entryKeyFor(title: string): string {
  const name = title.normalize("NFKC").trim().toLowerCase();
  const slug = slugOf(name);
  const isLossless =
    slug !== "" && slug === name.replace(/\s+/g, "-") && slug.length <= maxKeyLength;
  if (isLossless) return slug;
  return `${beginningOf(slug)}-${hashOf(name)}`;
}

function slugOf(text: string): string {
  const name = text.normalize("NFKC").toLowerCase();
  return name.replace(/[^\p{L}\p{N}\p{M}_]+/gu, "-").replace(/^-+|-+$/g, "");
}

function beginningOf(slug: string): string {
  const characters = Array.from(slug || "entry").slice(0, maxKeyLength / 2);
  return characters.join("").replace(/-+$/, "");
}

/** FNV-1a, 32 bits. @see http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
