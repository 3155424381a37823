/** The look of the console in one place: neutral greys, one warm accent, dense sizes, and the colours that carry meaning. */
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";

/** The accent: glowing coal. Shades 6 and 7 carry white text with a contrast over 4.5. */
const ember: MantineColorsTuple = [
  "#fff5ef",
  "#ffe7da",
  "#ffcdb3",
  "#ffaf88",
  "#fb8f61",
  "#f2703c",
  "#c94a14",
  "#b5400f",
  "#92350f",
  "#702b0f",
];
const gray: MantineColorsTuple = [
  "#fafafa",
  "#f4f4f5",
  "#ebebed",
  "#dfdfe2",
  "#c9c9ce",
  "#a1a1a8",
  "#6e6e76",
  "#52525a",
  "#35353a",
  "#1b1b1e",
];
const dark: MantineColorsTuple = [
  "#e9e9eb",
  "#c6c6ca",
  "#a0a0a7",
  "#7c7c84",
  "#3b3b41",
  "#2b2b30",
  "#1f1f23",
  "#161619",
  "#101013",
  "#0b0b0d",
];
/** The colour of danger: shade 6 carries white text with a contrast over 4.5. */
const red: MantineColorsTuple = [
  "#fff1f0",
  "#ffe0de",
  "#ffbfbb",
  "#ff9a94",
  "#ff7f78",
  "#e5484d",
  "#c3272b",
  "#aa1f23",
  "#86191d",
  "#641518",
];

export const theme = createTheme({
  primaryColor: "ember",
  primaryShade: { light: 6, dark: 6 },
  colors: { ember, gray, dark, red },
  black: "#1b1b1e",
  fontFamily: "var(--hearth-font)",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.8125rem", lg: "0.9375rem", xl: "1.125rem" },
  lineHeights: { xs: "1.4", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.4" },
  defaultRadius: "sm",
  radius: { xs: "3px", sm: "6px", md: "8px", lg: "12px" },
  respectReducedMotion: true,
  cursorType: "pointer",
  components: {
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray", size: 28 } },
    Button: { defaultProps: { size: "xs", variant: "default" }, styles: { root: { fontWeight: 500 } } },
    Drawer: { defaultProps: { transitionProps: { duration: 120 } } },
    Menu: { defaultProps: { transitionProps: { duration: 100 }, shadow: "md", position: "bottom-end" } },
    Checkbox: { defaultProps: { size: "xs", radius: "xs" } },
    Modal: { defaultProps: { transitionProps: { duration: 120 } } },
    ModalRoot: { defaultProps: { transitionProps: { duration: 120 } } },
    NativeSelect: { defaultProps: { size: "xs" } },
    NumberInput: { defaultProps: { size: "xs" } },
    Popover: { defaultProps: { transitionProps: { duration: 100 }, shadow: "md" } },
    Select: { defaultProps: { size: "xs" } },
    Switch: { defaultProps: { size: "xs" } },
    Tabs: { defaultProps: { keepMounted: false } },
    TagsInput: { defaultProps: { size: "xs" } },
    Textarea: { defaultProps: { size: "xs" } },
    TextInput: { defaultProps: { size: "xs" } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 100 }, fz: "xs" } },
  },
});

/** The component library's own surfaces are those of ui/surfaces.css. */
const surfaces = {
  "--mantine-color-body": "var(--hearth-body)",
  "--mantine-color-dimmed": "var(--hearth-dimmed)",
  "--mantine-color-placeholder": "var(--hearth-placeholder)",
};
export const themeVariables: CSSVariablesResolver = () => ({ variables: {}, light: surfaces, dark: surfaces });
