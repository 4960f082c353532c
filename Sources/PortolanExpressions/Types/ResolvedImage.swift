/// An icon by its name, and whether the style has it.
package struct ResolvedImage: Hashable, Sendable {
  /// The name of the icon.
  package var name: String
  /// Whether the style has it, as far as the context says which icons there are.
  package var isAvailable: Bool
}
