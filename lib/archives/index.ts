export {
  type ArchivedSession,
  ArchiveFailedError,
  ArchiveNotFoundError,
  ExportDamagedError,
  type ExportedSession,
  parseSessionText,
  type SessionArchive,
  sessionText,
} from "@/lib/session/internal";
export { folderArchive } from "./folder-archive";
export { type S3ArchiveOptions, s3Archive } from "./s3-archive";
export { type SqliteArchive, type SqliteArchiveOptions, sqliteArchive } from "./sqlite-archive";
