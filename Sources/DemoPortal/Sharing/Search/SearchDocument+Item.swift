internal import Foundation

extension SearchDocument {
  /// The searchable fields of an item.
  init(_ item: DemoItem) {
    func text(_ values: String?...) -> [Value] {
      values.compactMap { $0 }.map { .text(SearchWords($0)) }
    }
    func texts(_ values: [String]) -> [Value] { values.map { .text(SearchWords($0)) } }
    self.init(
      fields: [
        "id": text(item.id), "owner": text(item.owner), "title": text(item.title),
        "type": text(item.type), "typekeywords": texts(item.typeKeywords), "name": text(item.name),
        "description": text(item.description), "tags": texts(item.tags),
        "snippet": text(item.snippet), "access": text(item.access.rawValue),
        "group": texts(item.groups), "orgid": text(DemoOrganization.id),
        "accountid": text(DemoOrganization.id),
        "created": [.number(item.created.epochMilliseconds)],
        "modified": [.number(item.modified.epochMilliseconds)],
        "numviews": [.number(Int64(item.numViews))],
      ],
      weights: [
        "title": 8, "tags": 4, "snippet": 3, "description": 2, "type": 1, "typekeywords": 1,
        "owner": 1, "name": 1,
      ])
  }

  /// The searchable fields of a group.
  init(_ group: DemoGroup) {
    self.init(
      fields: [
        "id": [.text(SearchWords(group.id))], "title": [.text(SearchWords(group.title))],
        "owner": [.text(SearchWords(group.owner))],
        "snippet": [.text(SearchWords(group.snippet))],
        "access": [.text(SearchWords(group.access.rawValue))],
        "orgid": [.text(SearchWords(DemoOrganization.id))],
        "accountid": [.text(SearchWords(DemoOrganization.id))],
      ], weights: ["title": 8, "snippet": 3, "owner": 1])
  }

  /// The searchable fields of a member of the organization.
  init(_ user: DemoUser) {
    self.init(
      fields: [
        "username": [.text(SearchWords(user.username))],
        "fullname": [.text(SearchWords(user.fullName))], "role": [.text(SearchWords(user.role))],
        "orgid": [.text(SearchWords(DemoOrganization.id))],
        "accountid": [.text(SearchWords(DemoOrganization.id))],
      ], weights: ["username": 8, "fullname": 4])
  }
}
