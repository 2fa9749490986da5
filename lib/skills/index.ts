export { type FolderSkillOptions, FolderSkillProvider } from "./folder/folder-skill-provider";
export { type ParsedSkill, parseSkill } from "./parse-skill";
export { type ListedSkill, type SkillSource, SkillSourceError } from "./skill-source";
