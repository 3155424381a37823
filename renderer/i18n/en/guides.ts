export const guides = {
  title: "Guides",
  guide: "Guide: {{title}}",
  search: "Search the guides",
  hits_one: "{{count, number}} section",
  hits_other: "{{count, number}} sections",
} as const;
