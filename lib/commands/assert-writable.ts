import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { StartError } from "./start-settings";

/** Makes nothing: the folder may be made later, by its owner-to-be. @throws {StartError} */
export async function assertWritable(dataDir: string): Promise<void> {
  let folder = dataDir;
  for (;;) {
    const failure = await access(folder, constants.W_OK | constants.X_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => error,
    );
    if (failure === null) return;
    if (failure.code !== "ENOENT" || folder === dirname(folder))
      throw notWritable(dataDir, failure);
    folder = dirname(folder);
  }
}

function notWritable(dataDir: string, cause: NodeJS.ErrnoException): StartError {
  return new StartError(
    `The user ${userInfo().username} cannot write to ${dataDir}, where Grove keeps its data (${cause.code}). Give the folder to this user, or set GROVE_DATA_DIR to one it can write to.`,
    { cause },
  );
}
