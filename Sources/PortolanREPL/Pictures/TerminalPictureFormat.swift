/// The format in which a terminal shows pictures.
public enum TerminalPictureFormat: Hashable, Sendable {
  /// The graphics protocol of kitty.
  case kitty
  /// The inline images of iTerm2.
  case iTerm2
  /// Six rows of dots a character, as terminals of DEC had them.
  case sixel
  /// Half blocks, two to a character, in any colour.
  case blocksInTrueColor
  /// Half blocks in the 256 colours of xterm.
  case blocksIn256Colors
  /// Letters that are darker and lighter, where there are no colours.
  case letters

  /// The format that the terminal supports, judged by its environment; the terminal is not queried,
  /// since its answer would mix with what is being typed.
  public init(environment: [String: String], usesColor: Bool) {
    let terminal = environment["TERM"] ?? ""
    let program = environment["TERM_PROGRAM"] ?? ""
    if !usesColor {
      self = .letters
    } else if environment["KITTY_WINDOW_ID"] != nil || terminal.contains("kitty")
      || terminal.contains("ghostty") || program == "ghostty"
    {
      self = .kitty
    } else if ["iTerm.app", "WezTerm", "vscode", "mintty"].contains(program) {
      self = .iTerm2
    } else if ["sixel", "mlterm", "foot", "contour"].contains(where: terminal.contains) {
      self = .sixel
    } else if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") {
      self = .blocksInTrueColor
    } else {
      self = .blocksIn256Colors
    }
  }

  /// Whether the terminal draws pixels of its own.
  var showsPixels: Bool { self == .kitty || self == .iTerm2 || self == .sixel }
}
