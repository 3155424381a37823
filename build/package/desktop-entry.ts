/** How Hearth presents itself to a desktop: the same words in every format. */

export const productName = "Hearth";
export const summary = "Everything that a client app calls, on one laptop and offline";
/** Categories of https://specifications.freedesktop.org/menu-spec/, ended by semicolons. */
const categories = "Development;Network;";
export const category = "public.app-category.developer-tools";
/** Links `hearth://…` show a page of the console. */
export const linkScheme = "hearth";
export const modelFile = { ext: "gguf", mimeType: "application/x-gguf", description: "GGUF language model" };

/** A desktop entry; `exec` is the command without arguments. */
export const desktopEntry = (exec: string) => `[Desktop Entry]
Type=Application
Name=${productName}
Comment=${summary}
Exec=${exec} %U
Icon=hearth
Terminal=false
Categories=${categories}
MimeType=${modelFile.mimeType};x-scheme-handler/${linkScheme};
StartupWMClass=${productName}
`;

/** The type of model files for the system's database; each begins with the letters GGUF. */
export const mimePackage = `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="${modelFile.mimeType}">
    <comment>${modelFile.description}</comment>
    <magic><match type="string" offset="0" value="GGUF"/></magic>
    <glob pattern="*.${modelFile.ext}"/>
  </mime-type>
</mime-info>
`;
