import { afterAll, expect } from "vitest";
import type { Fragment } from "../connections/sql";
import { statementsOver } from "../connections/statement";
import { distributedForms, type Volatilities, volatilitiesIn } from "./distributed-forms";
import { createTestDatabase } from "./test-database";

/** All that Citus plans in another way than other statements. */
const isRead = /\b(?:update|insert|delete|nextval)\b|order by[^)]*branch_id/i;

interface SentStatements {
  readonly unread: Set<string>;
  readonly known: Set<string>;
  volatilities: Promise<Volatilities> | null;
}

/** Of the process, whose test files share their modules. */
const key = Symbol.for("grove.sent-statements");
const ofProcess = globalThis as { [key]?: SentStatements };

/** Each statement that a test sends is read, apart from those without parameters, as migrations are. */
function collect(): SentStatements {
  const sent: SentStatements = { unread: new Set(), known: new Set(), volatilities: null };
  const nowhere = statementsOver({} as Parameters<typeof statementsOver>[0]);
  const prototype: { send(this: Fragment, ...each: unknown[]): Promise<unknown> } =
    Object.getPrototypeOf(nowhere`select`);
  const { send } = prototype;
  prototype.send = function (...each) {
    const { text } = this.query();
    if (text.includes("$1") && !sent.known.has(text)) {
      sent.known.add(text);
      if (isRead.test(text)) sent.unread.add(text);
    }
    return send.apply(this, each);
  };
  return sent;
}

ofProcess[key] ??= collect();
const sent = ofProcess[key];

afterAll(async () => {
  if (sent.unread.size === 0) return;
  const texts = [...sent.unread];
  sent.unread.clear();
  sent.volatilities ??= readVolatilities();
  const { refusals } = await distributedForms(await sent.volatilities);
  expect(texts.flatMap(refusals)).toEqual([]);
});

async function readVolatilities(): Promise<Volatilities> {
  const database = await createTestDatabase();
  try {
    return await volatilitiesIn(database.sql);
  } finally {
    await database.drop();
  }
}
