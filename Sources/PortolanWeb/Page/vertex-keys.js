// Moves and removes a vertex of a sketch by keyboard.

/// How far an arrow key moves a vertex, and with Shift, in pixels.
const step = 10;
const smallStep = 1;

const directions = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

/// Lets the arrow keys move `marker`, which has the focus, and Delete remove it: `moved()` and `remove()`
/// are told.
export function followKeys(map, marker, { moved, remove }) {
  marker.getElement().addEventListener("keydown", (event) => {
    const direction = directions[event.key];
    const isRemoval = ["Delete", "Backspace"].includes(event.key);
    if (!direction && !isRemoval) return;
    // Else the map would move too.
    event.preventDefault();
    event.stopPropagation();
    if (isRemoval) return remove();
    const distance = event.shiftKey ? smallStep : step;
    const place = map.latLngToContainerPoint(marker.getLatLng())
      .add(direction.map((each) => each * distance));
    marker.setLatLng(map.containerPointToLatLng(place));
    moved();
  });
}
