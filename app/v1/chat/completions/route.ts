import {
  CompletionWriter,
  completionRequest,
  createCompletion,
} from "@/lib/chat/programs/chat-completions";
import type { Program } from "@/lib/chat/programs/program";
import type { FoundResponse } from "@/lib/chat/programs/response-object";
import type { JsonRecord } from "@/lib/chat/programs/response-writer";
import { programBody, programEvents, programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes({
  POST: async ({ request, program }) => {
    const body = await programBody(request, completionRequest);
    const found = await createCompletion(program, body);
    const { signal } = request;
    if (body.stream) {
      const withUsage = body.stream_options?.include_usage ?? false;
      const events = completionEvents(program, found, { withUsage, signal });
      return programEvents(events, { named: false, end: "[DONE]" });
    }
    const writer = new CompletionWriter(found);
    for await (const chunks of follow(program, found, signal))
      for (const chunk of chunks) writer.take(chunk);
    return Response.json(writer.completion());
  },
});

function follow({ runner }: Program, { owner, run }: FoundResponse, signal: AbortSignal) {
  return runner.followBatches(owner, { runId: run.id, after: 0, signal });
}

async function* completionEvents(
  program: Program,
  found: FoundResponse,
  { withUsage, signal }: { withUsage: boolean; signal: AbortSignal },
): AsyncGenerator<JsonRecord[]> {
  const writer = new CompletionWriter(found);
  yield [writer.begin()];
  for await (const chunks of follow(program, found, signal))
    yield chunks.flatMap((chunk) => writer.take(chunk));
  if (signal.aborted) return;
  try {
    yield [writer.end()];
    if (withUsage) yield [writer.usageChunk()];
  } catch (error) {
    const { message, type, code } = error as { message: string; type?: string; code?: string };
    yield [{ error: { message, type: type ?? "server_error", code: code ?? null, param: null } }];
  }
}
