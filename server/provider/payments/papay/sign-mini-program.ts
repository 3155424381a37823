/** The platform's mini-program in which a user signs a contract. */
export const signMiniProgram = { appid: "wxbd687630cd02ce1d", username: "gh_hearthcontract" };

/** @param preSignId names the contract */
export const signPath = (preSignId: string): string => `pages/index/index?pre_entrustweb_id=${preSignId}`;
