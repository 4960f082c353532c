public import PortolanJSON

extension StatusModel.State {
  /// The status, as JSON output holds it.
  public var json: JSONValue {
    [
      "online": isOnline.map(JSONValue.bool) ?? .null, "user": JSONValue(orNull: user?.username),
      "signedIn": .bool(user.map { !$0.needsSignIn } ?? false),
      "maps": JSONValue(orNull: mapCount), "jobs": paces.json(of: jobs),
      "bytes": JSONValue(orNull: usage?.total.byteCount ?? 0),
      "freeBytes": JSONValue(orNull: usage?.freeByteCount), "open": JSONValue(orNull: openTitle),
      "problem": accountProblem?.json ?? .null,
    ]
  }
}
