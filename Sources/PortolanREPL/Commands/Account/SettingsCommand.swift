internal import PortolanApp
internal import PortolanJSON

/// Shows and changes the settings.
struct SettingsCommand: AccountCommand {
  private static let actions = ["set", "unset"]
  static let action = Parameter.argument(
    "ACTION", "\"set\" or \"unset\"; the settings are shown without one.", count: .atMostOne,
    completion: .choice(actions))
  static let key = Parameter.argument(
    "KEY", "The setting.", count: .atMostOne,
    completion: .choice(SettingKey.allCases.map(\.rawValue)))
  static let value = Parameter.argument("VALUE", "Its new value.", count: .atMostOne)

  static let declaration = CommandDeclaration(
    "settings", summary: "Show the settings, or change one.", topic: .portal,
    parameters: [action, key, value],
    discussion: [
      "Each setting is shown with its value and where that comes from: an option of the command "
        + "line wins over the environment, that over the file, that over the default. A change "
        + "goes to the file; some take effect at the next start."
    ],
    examples: [
      .init("settings set page-size 50", "fifty items a page"),
      .init("settings unset page-size", "as many as by default"),
    ])

  private enum Action {
    case show
    case set(String, String)
    case unset(String)
  }

  private let action: Action

  init(parsing arguments: Arguments) throws(UsageError) {
    let key = try arguments.value(of: Self.key, as: .text)
    let value = try arguments.value(of: Self.value, as: ValueFormat("a text") { $0 })
    switch (try arguments.value(of: Self.action, as: .choice(Self.actions)), key, value) {
    case (nil, _, _): action = .show
    case ("set", let key?, let value?): action = .set(key, value)
    case ("unset", let key?, nil): action = .unset(key)
    case ("set", _, _): throw UsageError("Say \"settings set KEY VALUE\".")
    default: throw UsageError("Say \"settings unset KEY\".")
    }
  }

  @MainActor func run(
    with account: AccountScreens, in session: Session
  ) async throws -> CommandResult {
    let settings = account.settings
    let changed: SettingKey?
    switch action {
    case .show: changed = nil
    case .set(let name, let value):
      changed = try settings.key(named: name)
      if let changed { try await settings.set(changed, to: value) }
    case .unset(let name):
      changed = try settings.key(named: name)
      if let changed { try await settings.unset(changed) }
    }
    let json = settings.state.json(place: settings.place)
    guard let changed else {
      return CommandResult(text: settings.state.text(place: settings.place), json: json)
    }
    return CommandResult(text: settings.state.text(about: changed), json: json)
  }
}
