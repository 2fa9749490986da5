import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/** Resolves links: inside `root`, outside it, or missing. `root` is a real path. */
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
