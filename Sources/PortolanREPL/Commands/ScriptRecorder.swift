internal import PortolanJSON

/// Writes the results of a script as one JSON document.
struct ScriptRecorder {
  private let sink: DocumentSink
  private var isEmpty = true

  init(_ sink: DocumentSink) { self.sink = sink }

  /// Adds the result of a line, `null` where a command has none.
  mutating func add(_ result: CommandResult, of line: ScriptLine) throws(Failure) {
    try sink.write(isEmpty ? #"{"steps":["# : ",")
    isEmpty = false
    let command = JSONValue.string(line.text).text()
    try sink.write(#"{"line":\#(line.number),"command":\#(command),"result":"#)
    switch result.body {
    case .nothing: try sink.write("null")
    case .document(_, let json): try sink.write(json.encoded())
    case .streamed(let other): try other.finish(sink.write)
    }
    try sink.write("}")
  }

  /// Ends the document, with the failure that ended the script if there was one.
  func end(_ failure: Failure? = nil) throws(Failure) {
    if isEmpty { try sink.write(#"{"steps":["#) }
    try sink.write("]")
    if let failure { try sink.write(#","error":"# + JSONValue.object(failure.members).text()) }
    try sink.write("}\n")
  }
}
