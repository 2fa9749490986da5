import { describe, expect, test } from "vitest";
import {
  BlockConflictError,
  BlockTooLargeError,
  ProposalDecidedError,
  ProposalNotFoundError,
  SessionNotFoundError,
} from "../../errors";
import type { NewProposal } from "../../proposals";
import { Session } from "../../session";
import type { SessionStore } from "../../session-store";
import { user } from "../builders";
import type { MakeStore } from "./make-store";

const line: NewProposal = {
  sessionId: "a",
  messageId: "answer",
  program: null,
  blockId: "memory",
  key: null,
  title: null,
  description: null,
  action: "append",
  content: "Likes tea",
  baseVersion: 0,
};

const ofProgram: NewProposal = { ...line, sessionId: null, messageId: null, program: "Cursor" };

async function withSessions(make: MakeStore): Promise<SessionStore> {
  const store = await make();
  await store.sessions.create("A", { id: "a" });
  await store.sessions.create("B", { id: "b" });
  return store;
}

/** A session with an owner's block `memory` and a small one of its own, `todos`. */
function sessionOf(store: SessionStore, sessionId = "a"): Session {
  return new Session(store, { sessionId, createsSession: false })
    .withContext("memory", { scope: "owner" })
    .withContext("todos", { maxTokens: 5 });
}

export function proposalGuarantees(make: MakeStore): void {
  keepingGuarantees(make);
  decidingGuarantees(make);
}

function keepingGuarantees(make: MakeStore): void {
  describe("proposals of a store", () => {
    test("are stored open and listed newest first, by session and by message", async () => {
      const { proposals } = await withSessions(make);
      const first = await proposals.add(line);
      const entry = { key: "k", title: "K", description: "About K", action: "replace" } as const;
      const second = await proposals.add({ ...line, ...entry, messageId: null });
      const other = await proposals.add({ ...line, sessionId: "b" });
      expect(first).toEqual({
        ...line,
        id: expect.any(String),
        status: "open",
        version: null,
        createdAt: expect.any(Date),
        decidedAt: null,
      });
      expect(second).toMatchObject({ ...entry, messageId: null });
      expect(await proposals.list()).toEqual([other, second, first]);
      expect(await proposals.list({ sessionId: "a" })).toEqual([second, first]);
      expect(await proposals.list({ sessionId: "a", messageId: "answer" })).toEqual([first]);
      expect(await proposals.list({ limit: 1 })).toEqual([other]);
      expect(await proposals.get(first.id)).toEqual(first);
      expect(await proposals.get("unknown")).toBeNull();
    });

    test("with an id of their writer are stored once", async () => {
      const { proposals } = await withSessions(make);
      const first = await proposals.add({ ...line, id: "mine" });
      expect(first.id).toBe("mine");
      await proposals.decline("mine");
      const again = await proposals.add({ ...line, id: "mine", content: "Another" });
      expect(again).toMatchObject({ id: "mine", content: line.content, status: "declined" });
      expect(await proposals.list()).toHaveLength(1);
    });

    test("need a session, and are hidden while it is deleted", async () => {
      const { proposals, sessions } = await withSessions(make);
      await expect(proposals.add({ ...line, sessionId: "none" })).rejects.toThrow(
        SessionNotFoundError,
      );
      const proposal = await proposals.add(line);
      await sessions.delete("a");
      expect(await proposals.get(proposal.id)).toBeNull();
      expect(await proposals.list()).toEqual([]);
      await expect(proposals.decline(proposal.id)).rejects.toThrow(ProposalNotFoundError);
      await expect(proposals.accept(proposal.id, async () => 1)).rejects.toThrow(
        ProposalNotFoundError,
      );
      await sessions.restore("a");
      expect(await proposals.list({ status: "open" })).toEqual([proposal]);
    });

    test("belong to every session when a program made them", async () => {
      const { proposals, sessions } = await withSessions(make);
      const { id } = await proposals.add(ofProgram);
      const ofSession = await proposals.add(line);
      expect(await proposals.get(id)).toMatchObject({ sessionId: null, program: "Cursor" });
      expect((await proposals.list({ sessionId: "b" })).map((each) => each.id)).toEqual([id]);
      await sessions.delete("a");
      expect((await proposals.list()).map((each) => each.id)).toEqual([id]);
      expect(ofSession.program).toBeNull();
      expect(await proposals.decline(id)).toMatchObject({ status: "declined" });
    });

    test("stay with their session when it is forked", async () => {
      const store = await withSessions(make);
      await store.messages("a").appendMessage(user("q1"));
      await store.proposals.add(line);
      await store.sessions.fork("a", "q1", "Fork", { id: "fork" });
      expect(await store.proposals.list({ sessionId: "fork" })).toEqual([]);
    });

    test("are decided once", async () => {
      const { proposals } = await withSessions(make);
      const { id } = await proposals.add(line);
      expect(await proposals.decline(id)).toMatchObject({
        status: "declined",
        version: null,
        decidedAt: expect.any(Date),
      });
      await expect(proposals.decline(id)).rejects.toThrow(ProposalDecidedError);
      await expect(proposals.accept(id, async () => 1)).rejects.toThrow(ProposalDecidedError);
      await expect(proposals.decline("unknown")).rejects.toThrow(ProposalNotFoundError);
      expect(await proposals.list({ status: "open" })).toEqual([]);
      expect(await proposals.list({ status: "declined" })).toHaveLength(1);
    });

    test("stay open when the write that accepts them fails", async () => {
      const { proposals } = await withSessions(make);
      const { id } = await proposals.add(line);
      const broken = proposals.accept(id, () => Promise.reject(new Error("disk on fire")));
      await expect(broken).rejects.toThrow("disk on fire");
      expect(await proposals.get(id)).toMatchObject({ status: "open", decidedAt: null });
      expect(await proposals.accept(id, async () => 7)).toMatchObject({
        status: "accepted",
        version: 7,
      });
    });
  });
}

function decidingGuarantees(make: MakeStore): void {
  describe("a person who decides about a proposal", () => {
    test("writes what the model proposed, in the model's name", async () => {
      const store = await withSessions(make);
      const session = sessionOf(store);
      const { id } = await store.proposals.add(line);
      expect(await session.memory.acceptProposal(id)).toMatchObject({
        status: "accepted",
        version: 1,
      });
      expect(await session.memory.getVersions("memory")).toMatchObject([
        {
          content: "Likes tea",
          provenance: { author: "model", sessionId: "a", messageId: "answer", proposalId: id },
        },
      ]);
    });

    test("writes what a program proposed, in the program's name, from any session", async () => {
      const store = await withSessions(make);
      const { id } = await store.proposals.add(ofProgram);
      await sessionOf(store, "b").memory.acceptProposal(id);
      const edited = await store.proposals.add({ ...ofProgram, baseVersion: 1 });
      await sessionOf(store).memory.acceptProposal(edited.id, { content: "Likes green tea" });
      const versions = await sessionOf(store).memory.getVersions("memory");
      expect(versions.map(({ provenance }) => provenance)).toEqual([
        { author: "person", program: "Cursor", proposalId: edited.id },
        { author: "program", program: "Cursor", proposalId: id },
      ]);
    });

    test("writes the edited text in the person's name", async () => {
      const store = await withSessions(make);
      const session = sessionOf(store);
      const { id } = await store.proposals.add(line);
      await session.memory.acceptProposal(id, { content: "Likes green tea" });
      expect(await session.memory.getVersions("memory")).toMatchObject([
        { content: "Likes green tea", provenance: { author: "person", proposalId: id } },
      ]);
    });

    test("is refused without a write when the text has changed since the model saw it", async () => {
      const store = await withSessions(make);
      const session = sessionOf(store);
      const { id } = await store.proposals.add({ ...line, action: "replace" });
      await session.replaceContextBlock("memory", "By hand");
      await expect(session.memory.acceptProposal(id)).rejects.toThrow(BlockConflictError);
      expect(await store.proposals.get(id)).toMatchObject({ status: "open" });
      expect((await session.getContextBlock("memory"))?.content).toBe("By hand");
      await session.memory.acceptProposal(id, { expectedVersion: 1 });
      expect((await session.getContextBlock("memory"))?.content).toBe("Likes tea");
    });

    test("adds a line to the current text, unless they have seen another version", async () => {
      const store = await withSessions(make);
      const session = sessionOf(store);
      const { id } = await store.proposals.add(line);
      await session.replaceContextBlock("memory", "By hand");
      await expect(session.memory.acceptProposal(id, { expectedVersion: 0 })).rejects.toThrow(
        BlockConflictError,
      );
      await session.memory.acceptProposal(id);
      expect((await session.getContextBlock("memory"))?.content).toBe("By hand\nLikes tea");
    });

    test("cannot write more than the token limit, and the proposal stays", async () => {
      const store = await withSessions(make);
      const session = sessionOf(store);
      const { id } = await store.proposals.add({ ...line, blockId: "todos" });
      const long = { content: "one two three four five six seven" };
      await expect(session.memory.acceptProposal(id, long)).rejects.toThrow(BlockTooLargeError);
      await session.memory.acceptProposal(id);
      expect((await session.getContextBlock("todos"))?.content).toBe("Likes tea");
    });

    test("writes once, however often and however many accept", async () => {
      const store = await withSessions(make);
      const { id } = await store.proposals.add(line);
      const attempts = await Promise.allSettled(
        Array.from({ length: 8 }, () => sessionOf(store).memory.acceptProposal(id)),
      );
      expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const refused = attempts.filter((attempt) => attempt.status === "rejected");
      expect(refused.every(({ reason }) => reason instanceof ProposalDecidedError)).toBe(true);
      expect((await sessionOf(store).getContextBlock("memory"))?.content).toBe("Likes tea");
    });

    test("either accepts or declines", async () => {
      const store = await withSessions(make);
      const { id } = await store.proposals.add(line);
      const attempts = await Promise.allSettled([
        sessionOf(store).memory.acceptProposal(id),
        sessionOf(store).memory.declineProposal(id),
      ]);
      expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const written = (await sessionOf(store).getContextBlock("memory"))?.content;
      const { status } = (await store.proposals.get(id)) ?? {};
      expect(written).toBe(status === "accepted" ? "Likes tea" : "");
    });

    test("decides only in the session it was proposed in", async () => {
      const store = await withSessions(make);
      const { id } = await store.proposals.add(line);
      const other = sessionOf(store, "b");
      await expect(other.memory.acceptProposal(id)).rejects.toThrow(ProposalNotFoundError);
      await expect(other.memory.declineProposal(id)).rejects.toThrow(ProposalNotFoundError);
      expect(await other.memory.getProposals()).toEqual([]);
      expect(await sessionOf(store).memory.getProposals()).toHaveLength(1);
    });
  });
}
