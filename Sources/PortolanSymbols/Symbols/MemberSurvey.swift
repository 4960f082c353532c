package import PortolanJSON

/// Looks through what documents say about drawing for members that nothing here draws.
///
/// Of each kind of object the members are known that are drawn and that say nothing about drawing;
/// any other that says something is a problem, so that nothing new is passed over in silence.
package struct MemberSurvey {
  private static let maximumDepth = 30
  private static let maximumProblems = 50

  /// Clauses for people.
  package private(set) var problems: [String] = []

  package init() {}

  /// Looks through a renderer.
  package mutating func visit(renderer json: JSONObject) {
    let type = json.text("type") ?? ""
    guard let known = Self.renderers[type] else { return }
    tell(json, known.union(Self.anyRenderer), of: "a renderer")
    for variable in json.objects("visualVariables").prefix(64) {
      tell(variable, Self.variable, of: "a visual variable")
      reportStops(variable.objects("stops"))
    }
    reportStops(json.objects("colorStops") + json.objects("attributes"))
    let groups = json.objects("uniqueValueGroups").flatMap { $0.objects("classes") }
    let infos = json.objects("uniqueValueInfos") + json.objects("classBreakInfos")
    for entry in (groups + infos).prefix(4096) {
      tell(entry, Self.classMembers, of: "a class")
      visit(symbol: entry.object("symbol"))
    }
    for name in ["symbol", "defaultSymbol", "backgroundFillSymbol", "outline"] {
      visit(symbol: json.object(name))
    }
    for name in ["observationalRenderer", "observationRenderer", "latestObservationRenderer"] {
      // A temporal renderer inside one is not drawn.
      guard let inner = json.object(name), inner.text("type") != "temporal" else { continue }
      visit(renderer: inner)
    }
  }

  /// Looks through a symbol of web maps; those of ArcGIS Pro are reported as they are read.
  mutating func visit(symbol json: JSONObject?) {
    guard let json, let type = json.text("type"), let known = Self.symbols[type] else { return }
    tell(json, known.union(Self.anySymbol), of: "a symbol")
    reportStyle(json, type)
    if let outline = json.object("outline") {
      tell(outline, (Self.symbols["esriSLS"] ?? []).union(Self.anySymbol), of: "an outline")
      reportStyle(outline, "esriSLS")
    }
  }

  private mutating func reportStops(_ stops: [JSONObject]) {
    if stops.prefix(4096).contains(where: { $0.members.contains(where: \.isDamagedColor) }) {
      add("a stop of a ramp is left out, for it has no colour")
    }
  }

  private mutating func reportStyle(_ json: JSONObject, _ type: String) {
    guard let styles = Self.styles[type], let style = json.text("style"), !styles.contains(style)
    else { return }
    add("the style \"\(style)\" of a symbol is not known, and drawn as another")
  }

  private mutating func tell(_ json: JSONObject, _ known: Set<String>, of owner: String) {
    for member in json.members where member.value.saysSomething {
      if !known.contains(member.name) {
        add("\"\(member.name)\" of \(owner) is left out")
      } else if member.isDamagedColor {
        add("\"\(member.name)\" of \(owner) is no colour")
      }
    }
  }

  private mutating func add(_ problem: String) {
    guard problems.count < Self.maximumProblems, !problems.contains(problem) else { return }
    problems.append(problem)
  }
}

extension JSONObject.Member {
  /// Whether the member should be a colour and is none.
  var isDamagedColor: Bool {
    name.lowercased().hasSuffix("color") && value.saysSomething && CIMColor.color(value) == nil
  }
}

extension JSONValue {
  /// Whether the value differs from the neutral one.
  package var saysSomething: Bool {
    switch self {
    case .null, .bool(false): false
    case .string(let text): !text.isEmpty
    case .array(let items): !items.isEmpty
    case .object(let object): !object.isEmpty
    default: lenientNumber != 0
    }
  }
}
