import type { Client } from "@modelcontextprotocol/client";
import type { PersonId, PersonInSpace, SpaceId } from "@/lib/chat/core/person-in-space";
import { close, connectTo, type Elicit, type ServerAddress } from "./connect";
import type { CallQuestions } from "./questions";

interface Chat extends PersonInSpace {
  readonly sessionId: string;
}

interface Place extends Chat {
  readonly serverId: string;
  /** A server offers other tools to a client that cannot be asked. */
  readonly mayAsk: boolean;
}

export interface ConnectionLimits {
  readonly restMs: number;
  readonly ofOwner: number;
  readonly ofProcess: number;
}

const limits: ConnectionLimits = { restMs: 15 * 60_000, ofOwner: 16, ofProcess: 96 };

/**
 * One connection for each chat and server, kept between answers, since a server may keep a state with it. The least
 * recently used one ends first.
 */
export class ToolConnections {
  readonly #limits: ConnectionLimits;
  readonly #open = new Map<string, Connection>();
  readonly #all = new Set<Connection>();
  #isOver = false;

  constructor(given: Partial<ConnectionLimits> = {}) {
    this.#limits = { ...limits, ...given };
  }

  ofAnswer(chat: Chat): AnswerConnections {
    return new AnswerConnections((place, address) => this.#take({ ...place, ...chat }, address));
  }

  #take(place: Place, address: ServerAddress): Taken {
    if (this.#isOver) throw new Error("Grove is stopping.");
    const key = keyOf(place);
    const known = this.#open.get(key);
    const isEarlier = known?.identity === identityOf(address);
    if (known && !isEarlier) this.#end(known);
    const connection = known && isEarlier ? known : this.#make(place, address);
    connection.hold();
    this.#use(connection);
    return { connection, isEarlier, release: () => this.#release(connection) };
  }

  #make(place: Place, address: ServerAddress): Connection {
    this.#makeRoom(place);
    const connection = new Connection(place, address, () => this.#end(connection));
    this.#all.add(connection);
    return connection;
  }

  #makeRoom({ personId }: Place): void {
    const { ofOwner, ofProcess } = this.#limits;
    const all = [...this.#open.values()];
    const own = all.filter(({ place }) => place.personId === personId);
    const crowd = own.length >= ofOwner ? own : all.length >= ofProcess ? all : null;
    if (!crowd) return;
    const oldest = crowd.find(({ isHeld }) => !isHeld);
    if (!oldest) throw new Error("Too many servers of tools are in use. Try again in a while.");
    this.#end(oldest);
  }

  #use(connection: Connection): void {
    const key = keyOf(connection.place);
    this.#open.delete(key);
    this.#open.set(key, connection);
  }

  #release(connection: Connection): void {
    connection.release();
    if (connection.isHeld) return;
    if (this.#isOpen(connection)) {
      this.#use(connection);
      connection.rest(this.#limits.restMs);
    } else void this.#close(connection);
  }

  #isOpen(connection: Connection): boolean {
    return this.#open.get(keyOf(connection.place)) === connection;
  }

  #end(connection: Connection): void {
    if (this.#isOpen(connection)) this.#open.delete(keyOf(connection.place));
    if (!connection.isHeld) void this.#close(connection);
  }

  async #close(connection: Connection): Promise<void> {
    await connection.close();
    this.#all.delete(connection);
  }

  endChat({ spaceId, sessionId }: Omit<Chat, "personId">): void {
    this.#endWhere(({ place }) => place.spaceId === spaceId && place.sessionId === sessionId);
  }

  endSpace(spaceId: SpaceId): void {
    this.#endWhere(({ place }) => place.spaceId === spaceId);
  }

  serversOf(personId: PersonId): string[] {
    const own = [...this.#open.values()].filter(({ place }) => place.personId === personId);
    return [...new Set(own.map(({ place }) => place.serverId))];
  }

  /** A `null` address ends all connections. */
  endOthers(personId: PersonId, serverId: string, address: ServerAddress | null): void {
    const kept = address && identityOf(address);
    this.#endWhere(
      ({ place, identity }) =>
        place.personId === personId && place.serverId === serverId && identity !== kept,
    );
  }

  #endWhere(isOver: (connection: Connection) => boolean): void {
    for (const connection of [...this.#open.values()])
      if (isOver(connection)) this.#end(connection);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#open.clear();
    await Promise.all([...this.#all].map((connection) => this.#close(connection)));
  }
}

interface Taken {
  readonly connection: Connection;
  readonly isEarlier: boolean;
  release(): void;
}

type Take = (place: Pick<Place, "serverId" | "mayAsk">, address: ServerAddress) => Taken;

export interface ConnectionCall {
  readonly client: Client;
  /** Another call opened the connection, so its server may have forgotten it. */
  readonly isEarlier: boolean;
  /** The next call makes another connection. Running calls keep this one until their answer ends. */
  leave(): void;
  end(): void;
}

export class AnswerConnections {
  readonly #take: Take;
  readonly #held = new Map<Connection, Taken>();
  #isClosed = false;

  constructor(take: Take) {
    this.#take = take;
  }

  async call(
    serverId: string,
    address: () => Promise<ServerAddress>,
    questions: CallQuestions | null,
  ): Promise<ConnectionCall> {
    const found = await address();
    if (this.#isClosed) throw new Error("The answer has ended.");
    const taken = this.#take({ serverId, mayAsk: questions !== null }, found);
    const { connection, isEarlier } = taken;
    if (this.#held.has(connection)) taken.release();
    else this.#held.set(connection, taken);
    const client = await connection.client;
    const ended = questions ? connection.asks(questions) : () => undefined;
    return { client, isEarlier, leave: () => connection.end(), end: ended };
  }

  close(): void {
    this.#isClosed = true;
    for (const { release } of this.#held.values()) release();
    this.#held.clear();
  }
}

class Connection {
  readonly place: Place;
  readonly identity: string;
  readonly client: Promise<Client>;
  readonly end: () => void;
  /** A question names no call, and is taken for that of the oldest call. */
  readonly #questions: CallQuestions[] = [];
  #holders = 0;
  #rest: NodeJS.Timeout | undefined;
  #closing: Promise<void> | null = null;

  constructor(place: Place, address: ServerAddress, end: () => void) {
    this.place = place;
    this.identity = identityOf(address);
    this.end = end;
    const elicit: Elicit = async (params, signal) => {
      const [first] = this.#questions;
      return first ? first.answer(params, signal) : { action: "cancel" };
    };
    this.client = connectTo(address, { elicit: place.mayAsk ? elicit : undefined });
    this.client.then((client) => {
      client.onclose = end;
    }, end);
  }

  get isHeld(): boolean {
    return this.#holders > 0;
  }

  hold(): void {
    clearTimeout(this.#rest);
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
  }

  rest(ms: number): void {
    this.#rest = setTimeout(this.end, ms).unref();
  }

  asks(questions: CallQuestions): () => void {
    this.#questions.push(questions);
    return () => void this.#questions.splice(this.#questions.indexOf(questions), 1);
  }

  close(): Promise<void> {
    clearTimeout(this.#rest);
    this.#closing ??= this.client.then(close, () => undefined);
    return this.#closing;
  }
}

function keyOf({ personId, spaceId, sessionId, serverId, mayAsk }: Place): string {
  return JSON.stringify([personId, spaceId, sessionId, serverId, mayAsk]);
}

function identityOf(address: ServerAddress): string {
  if (address.kind === "command") return JSON.stringify(address.command);
  const { url, headers, signIn } = address;
  return JSON.stringify([url, headers, signIn]);
}
