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
export { chatRequest } from "./requests";
