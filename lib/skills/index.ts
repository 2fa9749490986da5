export { type ParsedSkill, parseSkill } from "../session/parse-skill";
export { type FolderSkillOptions, FolderSkillProvider } from "./folder/folder-skill-provider";
export { type S3SkillOptions, S3SkillProvider } from "./s3/s3-skill-provider";
export type { AllowedKeys } from "./skill-key";
export { type ListedSkill, type SkillSource, SkillSourceError } from "./skill-source";
