import { dirname } from "node:path";
import { BackupError } from "./backup-format";

export function fileFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const sentence = sentenceOf(String(error.code), path);
  return sentence ? new BackupError(sentence, { cause: error }) : error;
}

export function diskFull(path: string): BackupError {
  return new BackupError(fullSentence(path));
}

function fullSentence(path: string): string {
  return `The disk of ${dirname(path)} is full, or nearly, so there is no backup. Free some space, then back up again.`;
}

function sentenceOf(code: string, path: string): string | null {
  const folder = dirname(path);
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return fullSentence(path);
    case "EACCES":
    case "EPERM":
      return `Grove has no permission for ${path}. Give it to the user that runs Grove, then try again.`;
    case "EROFS":
      return `${folder} is read-only. Choose another folder, then back up again.`;
    case "ENOENT":
    case "ENOTDIR":
      return `There is no ${path}. Check the path, then try again.`;
    case "EISDIR":
      return `${path} is a folder, not a backup.`;
    case "EIO":
      return `The disk of ${folder} reports an error. Check the disk, then try again.`;
    default:
      return null;
  }
}
