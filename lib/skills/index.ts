export { type FolderSkillOptions, FolderSkillProvider } from "./folder/folder-skill-provider";
export { type ParsedSkill, parseSkill } from "./parse-skill";
export { type S3SkillOptions, S3SkillProvider } from "./s3/s3-skill-provider";
export { type ListedSkill, type SkillSource, SkillSourceError } from "./skill-source";
