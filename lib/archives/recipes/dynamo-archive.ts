import type { SessionArchive } from "../../session/internal";
import { namedFailures } from "../named-failures";
import { type ArchiveHead, type PartKey, partedArchive } from "../parted-archive";

export type Item = Record<string, { S: string }>;
export type FoundItem = Record<string, { S?: string | undefined }>;

/** The used part of a `DynamoDB` of `@aws-sdk/client-dynamodb`. */
export interface DynamoClient {
  getItem(input: {
    TableName: string;
    Key: Item;
    ConsistentRead: true;
  }): Promise<{ Item?: FoundItem | undefined }>;
  putItem(input: {
    TableName: string;
    Item: Item;
    ReturnValues: "ALL_OLD" | "NONE";
  }): Promise<{ Attributes?: FoundItem | undefined }>;
  deleteItem(input: {
    TableName: string;
    Key: Item;
    ReturnValues: "ALL_OLD" | "NONE";
  }): Promise<{ Attributes?: FoundItem | undefined }>;
  query(input: {
    TableName: string;
    KeyConditionExpression: string;
    ExpressionAttributeValues: Item;
    ConsistentRead: true;
    ExclusiveStartKey: Item | undefined;
  }): Promise<{
    Items?: FoundItem[] | undefined;
    LastEvaluatedKey?: FoundItem | undefined;
  }>;
}

export interface DynamoArchiveOptions {
  /** A table with the string keys `pk` (partition) and `sk` (sort). */
  readonly table: string;
  /** Hides archives of other owners in the same table. Default: none. */
  readonly owner?: string | undefined;
}

/** Keeps an item below its limit of 400 KB. */
const partLength = 120_000;

/** One item for each session, and items for the parts of its text. */
export function dynamoArchive(
  client: DynamoClient,
  { table, owner = "" }: DynamoArchiveOptions,
): SessionArchive {
  const TableName = table;
  const heads = JSON.stringify([owner]);
  const headKey = (sessionId: string): Item => ({ pk: { S: heads }, sk: { S: `#${sessionId}` } });
  const partKey = ({ sessionId, version, index }: PartKey): Item => ({
    pk: { S: JSON.stringify([owner, sessionId, version]) },
    sk: { S: String(index) },
  });
  return namedFailures(
    "The archive in DynamoDB",
    partedArchive(
      {
        async readHead(sessionId) {
          const Key = headKey(sessionId);
          return headOf((await client.getItem({ TableName, Key, ConsistentRead: true })).Item);
        },
        async replaceHead(head) {
          const { parts, bytes, version, archivedAt } = head;
          const Item = {
            ...headKey(head.sessionId),
            version: { S: version },
            parts: { S: String(parts) },
            bytes: { S: String(bytes) },
            archivedAt: { S: archivedAt.toISOString() },
          };
          const replaced = await client.putItem({ TableName, Item, ReturnValues: "ALL_OLD" });
          return headOf(replaced.Attributes);
        },
        async removeHead(sessionId) {
          const Key = headKey(sessionId);
          const removed = await client.deleteItem({ TableName, Key, ReturnValues: "ALL_OLD" });
          return headOf(removed.Attributes);
        },
        async *heads() {
          let from: Item | undefined;
          do {
            const page = await client.query({
              TableName,
              KeyConditionExpression: "pk = :pk",
              ExpressionAttributeValues: { ":pk": { S: heads } },
              ConsistentRead: true,
              ExclusiveStartKey: from,
            });
            for (const item of page.Items ?? []) {
              const head = headOf(item);
              if (head) yield head;
            }
            const last = page.LastEvaluatedKey;
            from = last && { pk: { S: heads }, sk: { S: last.sk?.S ?? "" } };
          } while (from);
        },
        async writePart(key, text) {
          const Item = { ...partKey(key), text: { S: text } };
          await client.putItem({ TableName, Item, ReturnValues: "NONE" });
        },
        async readPart(key) {
          const Key = partKey(key);
          const { Item } = await client.getItem({ TableName, Key, ConsistentRead: true });
          return Item?.text?.S ?? null;
        },
        async removePart(key) {
          await client.deleteItem({ TableName, Key: partKey(key), ReturnValues: "NONE" });
        },
      },
      partLength,
    ),
  );
}

function headOf(item: FoundItem | undefined): ArchiveHead | null {
  if (!item) return null;
  return {
    sessionId: item.sk?.S?.slice(1) ?? "",
    version: item.version?.S ?? "",
    parts: Number(item.parts?.S),
    bytes: Number(item.bytes?.S),
    archivedAt: new Date(item.archivedAt?.S ?? 0),
  };
}
