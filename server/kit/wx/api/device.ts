/** Storage, files, the page's surface and the device. */
import type { PromiseWithout, WxCall, WxCallbacks, WxPlainCall, WxResult } from "./call.ts";

export interface StorageOptions extends WxCallbacks<WxResult> {
  key: string;
  encrypt?: boolean;
}
export interface StoredResult<Data> extends WxResult {
  data: Data;
}
export interface GetStorageOptions<Data> extends WxCallbacks<StoredResult<Data>> {
  key: string;
  encrypt?: boolean;
}
export interface SetStorageOptions<Data> extends StorageOptions {
  /** What JSON can hold, or a Date. */
  data: Data;
}
export interface StorageInfo {
  keys: string[];
  /** In KB. */
  currentSize: number;
  limitSize: number;
}

// oxlint-disable typescript/no-explicit-any -- what is stored has the type that the caller expects, as on the platform
export interface StorageCalls {
  getStorage: <Data = any, Own extends GetStorageOptions<Data> = GetStorageOptions<Data>>(
    options: Own,
  ) => PromiseWithout<Own, StoredResult<Data>>;
  setStorage: <Data = any, Own extends SetStorageOptions<Data> = SetStorageOptions<Data>>(
    options: Own,
  ) => PromiseWithout<Own, WxResult>;
  removeStorage: WxCall<StorageOptions, WxResult>;
  clearStorage: WxPlainCall<WxCallbacks<WxResult>, WxResult>;
  getStorageInfo: WxPlainCall<WxCallbacks<StorageInfo & WxResult>, StorageInfo & WxResult>;
  /** Returns "" for a key that is not there. */
  getStorageSync: <Data = any>(key: string) => Data;
  setStorageSync: (key: string, data: unknown) => void;
  removeStorageSync: (key: string) => void;
  clearStorageSync: () => void;
  getStorageInfoSync: () => StorageInfo;
}
// oxlint-enable typescript/no-explicit-any

export interface ReadFileOptions extends WxCallbacks<StoredResult<string | ArrayBuffer>> {
  filePath: string;
  /** `utf8` or `base64`; the bytes unless given. */
  encoding?: string;
}
export interface WriteFileOptions extends WxCallbacks<WxResult> {
  filePath: string;
  data: string | ArrayBuffer;
}
export interface FileSystemManager {
  readFile: (options: ReadFileOptions) => void;
  /** @throws Error when the file does not exist */
  readFileSync: (filePath: string, encoding?: string) => string | ArrayBuffer;
  writeFile: (options: WriteFileOptions) => void;
  writeFileSync: (filePath: string, data: string | ArrayBuffer) => void;
}

export interface ChosenFile {
  tempFilePath: string;
  size: number;
  fileType: "image" | "video";
  duration: number;
  height: number;
  width: number;
  thumbTempFilePath: string;
}
export interface ChooseMediaResult extends WxResult {
  tempFiles: ChosenFile[];
  type: string;
}
export interface ChooseImageResult extends WxResult {
  tempFilePaths: string[];
  tempFiles: { path: string; size: number }[];
}
export interface ChooseOptions<Result> extends WxCallbacks<Result> {
  count?: number;
}

export interface FileCalls {
  readonly env: { USER_DATA_PATH: string };
  getFileSystemManager: () => FileSystemManager;
  /** The files that the person picks: `phone.prompts.pick(…)`. Without any, the person cancels. */
  chooseMedia: WxPlainCall<ChooseOptions<ChooseMediaResult>, ChooseMediaResult>;
  chooseImage: WxPlainCall<ChooseOptions<ChooseImageResult>, ChooseImageResult>;
}

export interface ModalResult extends WxResult {
  confirm: boolean;
  cancel: boolean;
  content: string;
}
export interface ModalOptions extends WxCallbacks<ModalResult> {
  title?: string;
  content?: string;
  showCancel?: boolean;
  cancelText?: string;
  confirmText?: string;
}
export interface ToastOptions extends WxCallbacks<WxResult> {
  title: string;
  icon?: "success" | "error" | "loading" | "none";
  image?: string;
  duration?: number;
  mask?: boolean;
}
export interface LoadingOptions extends WxCallbacks<WxResult> {
  title: string;
  mask?: boolean;
}
export interface ActionSheetResult extends WxResult {
  tapIndex: number;
}
export interface ActionSheetOptions extends WxCallbacks<ActionSheetResult> {
  itemList: string[];
  alertText?: string;
}
export interface NavigationOptions extends WxCallbacks<WxResult> {
  url: string;
}
export interface TitleOptions extends WxCallbacks<WxResult> {
  title: string;
}

/** A call of the surface, by its name and its options. */
export interface Shown {
  readonly api: string;
  readonly [option: string]: unknown;
}

type Plain = WxPlainCall<WxCallbacks<WxResult>, WxResult>;

export interface SurfaceCalls {
  /** Records of what the program has shown, oldest first. */
  readonly shown: readonly Shown[];
  showToast: WxCall<ToastOptions, WxResult>;
  hideToast: Plain;
  showLoading: WxCall<LoadingOptions, WxResult>;
  hideLoading: Plain;
  /** The person confirms, unless `phone.prompts.deny("modal")`. */
  showModal: WxCall<ModalOptions, ModalResult>;
  /** The person taps the first item, unless `phone.prompts.deny("actionSheet")`. */
  showActionSheet: WxCall<ActionSheetOptions, ActionSheetResult>;
  setNavigationBarTitle: WxCall<TitleOptions, WxResult>;
  stopPullDownRefresh: Plain;
  navigateTo: WxCall<NavigationOptions, WxResult>;
  redirectTo: WxCall<NavigationOptions, WxResult>;
  reLaunch: WxCall<NavigationOptions, WxResult>;
  switchTab: WxCall<NavigationOptions, WxResult>;
  navigateBack: Plain;
}
