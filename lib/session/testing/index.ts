export {
  appendChain,
  appendNumbered,
  assistant,
  dynamicToolCall,
  ids,
  toolCall,
  user,
} from "./builders";
export { type ArchiveSuiteOptions, describeArchive } from "./describe-archive";
export {
  describeSearchBlock,
  describeSkillBlock,
  describeVersionedBlock,
} from "./describe-context-providers";
export { type CallOfEveryMethod, describeEmitting } from "./describe-emitting";
export { describeSessionProvider, type ProviderSuiteOptions } from "./describe-session-provider";
export { describeSessionStore } from "./describe-session-store";
export {
  describeReadableSkills,
  describeWritableSkills,
  type SkillSample,
} from "./describe-skill-blocks";
export { describeTreePrograms, type TreeProgramOptions } from "./describe-tree-programs";
export type { MakeProvider } from "./provider/make-provider";
export type { MakeStore } from "./store/make-store";
