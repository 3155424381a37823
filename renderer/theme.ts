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

export const theme = createTheme({
  primaryColor: "ember",
  primaryShade: { light: 6, dark: 6 },
  colors: { ember, gray, dark },
  black: "#1b1b1e",
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", "PingFang SC", sans-serif',
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
    NativeSelect: { defaultProps: { size: "xs" } },
    TextInput: { defaultProps: { size: "xs" } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 100 }, fz: "xs" } },
  },
});

/** Surfaces and meanings, by the same names in both themes; each text colour reaches 4.5 on each surface of its theme. */
export const themeVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-dimmed": "#66666e",
    "--mantine-color-placeholder": "#74747c",
    "--hearth-sunken": "#f8f8f9",
    "--hearth-border": "#e6e6e9",
    "--hearth-hover": "#f3f3f5",
    "--hearth-selected": "#fdeee5",
    "--hearth-fresh": "#ffe7da",
    "--hearth-accent": "#b5400f",
    "--hearth-up": "#197a3e",
    "--hearth-busy": "#8a5a00",
    "--hearth-down": "#c3272b",
    "--hearth-info": "#1f5fb8",
    "--hearth-string": "#1a6e3c",
    "--hearth-number": "#1f5fb8",
    "--hearth-keyword": "#8f3fa8",
  },
  dark: {
    "--mantine-color-body": "#161619",
    "--mantine-color-dimmed": "#a0a0a7",
    "--mantine-color-placeholder": "#8d8d95",
    "--hearth-sunken": "#101013",
    "--hearth-border": "#2b2b30",
    "--hearth-hover": "#1f1f23",
    "--hearth-selected": "#33211a",
    "--hearth-fresh": "#43281c",
    "--hearth-accent": "#fb8f61",
    "--hearth-up": "#4fc47f",
    "--hearth-busy": "#e3b04b",
    "--hearth-down": "#ff7f78",
    "--hearth-info": "#74b3ff",
    "--hearth-string": "#7fcf9b",
    "--hearth-number": "#8cbcff",
    "--hearth-keyword": "#d7a2ea",
  },
});
