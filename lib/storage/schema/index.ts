export {
  accountEvent,
  accountInvite,
  accountLogin,
  accountPasskey,
  accountPolicy,
  accountSession,
  accountTwoFactor,
  accountUser,
  accountVerification,
} from "./accounts";
export {
  accountApp,
  accountAppAccess,
  accountAppConsent,
  accountAppRefresh,
} from "./apps";
export { chatRequest } from "./requests";
export { chatShare, chatSharePiece } from "./shares";
export { accountInvitation, accountMember, accountSpace, chatPersonalPrompt } from "./spaces";
