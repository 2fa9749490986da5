import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/** Where a path really leads, links followed: a place in `root`, outside it, or nowhere. `root` is a real path. */
export async function realPathInside(
  root: string,
  path: string,
): Promise<{ readonly path: string } | "outside" | "nowhere"> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  if (real === null) return "nowhere";
  const way = relative(root, real);
  const leaves = way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
  return leaves ? "outside" : { path: real };
}
