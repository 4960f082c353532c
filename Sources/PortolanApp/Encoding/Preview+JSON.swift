internal import Foundation
public import PortolanJSON

extension PreviewModel {
  /// The package whose specification is being edited, as JSON output holds it.
  public var json: JSONValue {
    var json: JSONObject = ["specification": .string(specification.lastPathComponent)]
    switch state {
    case .idle, .making: json["state"] = "making"
    case .shown(let report, let revision):
      json["state"] = "shown"
      json["title"] = .string(report.title)
      json["revision"] = JSONValue(orNull: revision)
      json["notes"] = JSONValue(texts: report.notes + report.failures)
    case .failed(let problem):
      json["state"] = "failed"
      json["problem"] = problem.json
    }
    json["canSave"] = .bool(package != nil)
    return .object(json)
  }
}
