internal import PortolanJSON

/// The response of a service to one edit.
struct EditAnswer {
  private let json: JSONValue

  init(_ json: JSONValue) { self.json = json }

  /// Whether the edit is said to be carried out; `nil` where that is not said, or an error beside it.
  var isDone: Bool? {
    // Some write that there is no error as null.
    let error: JSONValue = json["error"] ?? .null
    guard let isSuccess = json.object?.flag("success") else { return error.isNull ? nil : false }
    guard isSuccess else { return false }
    return code == 0 ? true : nil
  }

  /// The service's number for a refusal; 0 for none.
  var code: Int { json["error"]?["code"]?.int ?? 0 }

  /// The service's words for a refusal, as a part of a sentence; `nil` for none.
  var reason: String? {
    let error = json["error"]
    return (error?["description"]?.string ?? error?["message"]?.string)?.withoutFullStop
  }

  /// The reason why it is not known whether the edit was carried out.
  var doubt: String {
    guard code != 0 else { return "its answer does not say whether it has carried the edit out" }
    return "it says that it has carried the edit out, and an error besides: "
      + (reason ?? "number \(code)")
  }
}
