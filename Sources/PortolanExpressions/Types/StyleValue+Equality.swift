internal import PortolanJSON

extension StyleValue: Hashable {
  /// Texts are the same if their code units are, as in JavaScript.
  package static func == (left: StyleValue, right: StyleValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): left.hasSameCodeUnits(as: right)
    case (.color(let left), .color(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.formatted(let left), .formatted(let right)): left == right
    case (.image(let left), .image(let right)): left == right
    case (.collator(let left), .collator(let right)): left == right
    case (.padding(let left), .padding(let right)): left == right
    case (.numberArray(let left), .numberArray(let right)): left == right
    case (.colorArray(let left), .colorArray(let right)): left == right
    case (.anchorOffsets(let left), .anchorOffsets(let right)): left == right
    case (
      .projection(let leftFrom, let leftTo, let leftTransition),
      .projection(let rightFrom, let rightTo, let rightTransition)
    ):
      leftFrom == rightFrom && leftTo == rightTo && leftTransition == rightTransition
    default: false
    }
  }

  /// Texts with the same code units have the same hash, which is that of their canonical form.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let isTrue): hasher.combine(isTrue)
    case .number(let number): hasher.combine(number)
    case .text(let text): hasher.combine(text)
    case .color(let color): hasher.combine(color)
    case .list(let elements): hasher.combine(elements)
    case .object(let object): hasher.combine(object)
    case .formatted(let formatted): hasher.combine(formatted)
    case .image(let image): hasher.combine(image)
    case .collator(let collator): hasher.combine(collator)
    case .padding(let numbers), .numberArray(let numbers): hasher.combine(numbers)
    case .colorArray(let colors): hasher.combine(colors)
    case .anchorOffsets(let offsets): hasher.combine(offsets)
    case .projection(let from, let to, _):
      hasher.combine(from)
      hasher.combine(to)
    }
  }
}
