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
export { chatSearch, chatWord } from "./search";
export {
  chatBranch,
  chatCompaction,
  chatDeletion,
  chatMessage,
  chatSession,
  chatSkillEvent,
} from "./tree";
