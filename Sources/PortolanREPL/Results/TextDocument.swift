/// The output of a command as text, before it is laid out for a terminal.
public struct TextDocument: Hashable, Sendable {
  /// A part of the text.
  public enum Block: Hashable, Sendable {
    /// A title over what follows.
    case heading(String)
    /// Lines as they are.
    case line(String)
    /// A text that is broken at the width of the terminal.
    case paragraph(String, indent: Int)
    /// Names and values, the values below each other.
    case fields([Field])
    /// Names and their meanings, the meanings below each other and broken at the width of a terminal.
    case entries([Field])
    /// Rows and columns.
    case table(TextTable)
    /// An empty line.
    case blank
    /// Lines that Portolan itself made of a picture: their escape sequences reach the terminal.
    case picture([String])
  }

  /// A name and its value.
  public struct Field: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The parts, in order.
  public var blocks: [Block]

  /// Creates a document.
  public init(_ blocks: [Block] = []) { self.blocks = blocks }

  /// Creates a document of one line.
  public init(_ line: String) { self.init([.line(line)]) }
}
