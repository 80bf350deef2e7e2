// Small line icons for buttons; the button carries the name.

const icon = (d: string) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={d} />
  </svg>
);

export const icons = {
  back: icon("M15 5l-7 7 7 7"),
  hint: icon(
    "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900c.6.5 1 1.200 1 2.100h5c0-.9.4-1.600 1-2.100A6 6 0 0 0 12 3z",
  ),
  sound: icon("M4 9v6h4l5 4V5L8 9zM16.500 8.500a5 5 0 0 1 0 7M19 6a9 9 0 0 1 0 12"),
  silence: icon("M4 9v6h4l5 4V5L8 9zM17 9l5 6M22 9l-5 6"),
  rules: icon("M5 4h10a4 4 0 0 1 4 4v12H9a4 4 0 0 1-4-4zM9 9h6M9 13h6"),
  sheet: icon("M4 6h16M4 12h16M4 18h10"),
  chart: icon("M4 5h7v14H4zM14 5h6v6h-6zM14 14h6v5h-6z"),
  menu: icon("M5 12h.01M12 12h.01M19 12h.01"),
  close: icon("M6 6l12 12M18 6L6 18"),
  first: icon("M18 6l-7 6 7 6zM6 6v12"),
  previous: icon("M15 6l-7 6 7 6z"),
  next: icon("M9 6l7 6-7 6z"),
  last: icon("M6 6l7 6-7 6zM18 6v12"),
  play: icon("M8 5l11 7-11 7z"),
  pause: icon("M8 5v14M16 5v14"),
  eye: icon(
    "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
  ),
  share: icon("M12 15V4M8 7.500 12 3.500 16 7.500M6 11H5v9h14v-9h-1"),
  settings: icon("M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4M4 12h16"),
};
