import type { ListedModel } from "./listed-model";

// What servers list beside models that can chat, by the names in use. An open model's name often ends in
// "instruct" and means chat; OpenAI's means the opposite.
const anywhere = /embed|rerank|whisper|\btts\b|dall-e|moderation/i;
const atOpenAI =
  /image|audio|realtime|transcribe|translate|instruct|babbage|davinci|sora|-live|search-preview|computer-use|deep-research/i;

/** Leaves out listed models that are known not to chat. */
export function chatModelsOnly(models: readonly ListedModel[], isOpenAI: boolean): ListedModel[] {
  return models.filter(({ id }) => !anywhere.test(id) && !(isOpenAI && atOpenAI.test(id)));
}
