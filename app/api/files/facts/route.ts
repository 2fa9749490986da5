import { endpoint } from "@/app/api/endpoint";
import type { NamedFileWire } from "@/lib/chat/wire/files";

const mostAtOnce = 50;

export const GET = endpoint("GET /api/files/facts", async ({ owner, query: { of } }) => {
  const asked = [...new Set(of?.split(","))].slice(0, mostAtOnce);
  const named = await owner.files.named(asked);
  const stored = await owner.files.touch(named.map(({ sha256 }) => sha256));
  return {
    files: asked.flatMap((id): NamedFileWire[] => {
      const [file, another] =
        id.length < 12 ? [] : stored.filter(({ sha256 }) => sha256.startsWith(id));
      return file && !another ? [{ ...file, asked: id }] : [];
    }),
  };
});
