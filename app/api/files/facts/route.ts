import { endpoint } from "@/app/api/endpoint";
import type { NamedFileWire } from "@/lib/chat/wire/files";

const mostAtOnce = 50;

export const GET = endpoint("GET /api/files/facts", async ({ owner, query: { of } }) => {
  const asked = [...new Set(of?.split(","))].slice(0, mostAtOnce);
  const hashes = new Map<string, string>();
  for (const id of asked) {
    const known = await owner.files.get(id);
    if (known) hashes.set(id, known.sha256);
  }
  const stored = await owner.files.touch([...new Set(hashes.values())]);
  const files = new Map(stored.map((file) => [file.sha256, file]));
  return {
    files: [...hashes].flatMap(([id, sha256]): NamedFileWire[] => {
      const file = files.get(sha256);
      return file ? [{ ...file, asked: id }] : [];
    }),
  };
});
