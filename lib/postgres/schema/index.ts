export { appliedFunctions, backupAttempt, bookkeeping, wordAnalysis } from "./bookkeeping";
export { chatFile, chatFileChunk, chatFilePage } from "./files";
export { chatBlock, chatDocument, chatDocumentVersion, chatProposal } from "./memory";
export {
  chatClearing,
  chatConsent,
  chatKey,
  chatOwner,
  chatRun,
  chatSecret,
  chatStream,
  chatUsage,
} from "./runs";
export { chatSearch, chatSearchSeq, chatWord } from "./search";
export {
  chatBranch,
  chatCompaction,
  chatDeletion,
  chatMessage,
  chatMoment,
  chatSession,
  chatSkillEvent,
} from "./tree";
