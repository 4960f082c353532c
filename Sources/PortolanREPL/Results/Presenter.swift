internal import Foundation
public import PortolanJSON

/// Brings results, notes and failures to the console in the form that the options ask for.
public struct Presenter: Sendable {
  /// The console that output goes to.
  public let console: any Console
  /// The global options.
  public let options: GlobalOptions

  /// Creates a presenter.
  public init(console: any Console, options: GlobalOptions) {
    self.console = console
    self.options = options
  }

  private var usesColor: Bool { console.usesColor && !options.refusesColor }

  /// A person reads indented JSON more easily; a program reads a document a line more easily.
  private var layout: JSONValue.Layout { console.isTerminal ? .indented : .compact }

  /// Writes a result.
  func present(_ result: CommandResult) throws(Failure) {
    console.showProgress(nil)
    switch result.body {
    case .nothing: break
    case .document(let text, let json):
      if options.format == .json {
        try console.write(json.text(layout))
      } else {
        let layout = TextLayout(width: console.width, usesColor: usesColor)
        try console.write(Data(layout.text(of: text).utf8))
      }
    case .streamed(let sink):
      try sink.finish { (piece) throws(Failure) in try console.write(piece) }
    }
  }

  /// Writes a failure: as the document with `--json`, otherwise as lines on standard error.
  ///
  /// A document that cannot be written becomes lines on standard error, so that the failure is
  /// seen somewhere.
  func present(_ failure: Failure) {
    console.showProgress(nil)
    if options.format == .json, !failure.isOutputFailure {
      do {
        try console.write(failure.json.text(layout))
        return
      } catch {
        presentLines(of: error)
      }
    }
    presentLines(of: failure)
  }

  private func presentLines(of failure: Failure) {
    let place = failure.line.map { "line \($0): " } ?? ""
    let title = usesColor ? "\u{1B}[1;31merror:\u{1B}[0m" : "error:"
    // A message of several lines is a sentence with a list below it.
    let lines = failure.message.split(whereSeparator: \.isNewline).map {
      String($0).withoutControlCharacters
    }
    console.note("\(title) \(place)\(lines.first ?? "")")
    for line in lines.dropFirst() { console.note("  " + line) }
    for detail in [failure.reason, failure.suggestion].compactMap(\.self) {
      console.note("  " + detail.withoutControlCharacters)
    }
  }

  /// Shows the user something that is not part of the result; nothing with `--quiet`.
  public func note(_ text: String) {
    guard !options.isQuiet else { return }
    if options.format == .json {
      console.note((["note": .string(text)] as JSONValue).text())
    } else {
      console.note(text.withoutControlCharacters)
    }
  }

  /// Tells how far a command is: a passing line for people, a JSON object a line with `--json`.
  public func progress(_ line: String, json: JSONValue) {
    guard !options.isQuiet else { return }
    if options.format == .json {
      console.note((["progress": json] as JSONValue).text())
    } else {
      let line = line.withoutControlCharacters
      console.showProgress(console.width.map { String(line.prefix(columns: $0 - 1)) } ?? line)
    }
  }

  /// A place for a document of any size.
  public func makeDocumentSink() throws(Failure) -> DocumentSink {
    options.format == .json
      ? try DocumentSink(spoolingIn: FileManager.default.temporaryDirectory)
      : DocumentSink(passingOnTo: console)
  }
}
