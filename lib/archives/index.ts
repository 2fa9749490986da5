export {
  type ArchivedSession,
  ArchiveFailedError,
  ArchiveNotFoundError,
  ExportDamagedError,
  type ExportedSession,
  FilesNotArchivedError,
  parseSessionText,
  type SessionArchive,
  sessionText,
} from "../session/internal";
export { folderArchive } from "./folder-archive";
export {
  type DynamoArchiveOptions,
  type DynamoClient,
  dynamoArchive,
  type FoundItem as FoundDynamoItem,
  type Item as DynamoItem,
} from "./recipes/dynamo-archive";
export {
  type Filter as MongoFilter,
  type MongoArchiveDocument,
  type MongoArchiveOptions,
  type MongoCollection,
  mongoArchive,
} from "./recipes/mongo-archive";
export { type RedisArchiveOptions, type RedisClient, redisArchive } from "./recipes/redis-archive";
export {
  type SupabaseArchiveOptions,
  type SupabaseClient,
  supabaseArchive,
} from "./recipes/supabase-archive";
export { type S3ArchiveOptions, s3Archive } from "./s3-archive";
export { type SqliteArchive, type SqliteArchiveOptions, sqliteArchive } from "./sqlite-archive";
