internal import PortolanFeatures
internal import Synchronization

/// The numbers that classes are made of, gathered from rows on their way into the package, so that
/// these need not be read once more.
final class GatheredNumbers: Sendable {
  /// A field of a table of the package, both in small letters.
  private struct Column: Hashable {
    let table: String
    let field: String

    init(_ field: String, of table: String) {
      self.table = table.lowercased()
      self.field = field.lowercased()
    }

    /// Where its values are; `nil` if there is no such field, or more than one but for case.
    func position(in fields: FieldList) -> Int? {
      let positions = fields.fields.indices.filter { fields.fields[$0].name.lowercased() == field }
      return positions.count == 1 ? positions.first : nil
    }
  }

  private let columns: Set<Column>
  private let numbers = Mutex<[Column: [Double]]>([:])

  /// Creates what gathers the fields of class breaks over whole tables.
  init(for maps: [MapSpecification]) {
    var columns: Set<Column> = []
    for layer in maps.flatMap(\.layers)
    where layer.renderer.kind == .classBreaks && layer.whereClause == nil {
      if let field = layer.renderer.field { columns.insert(Column(field, of: layer.data)) }
    }
    self.columns = columns
  }

  /// Takes in some rows of a table.
  func add(_ rows: some Collection<Feature>, of table: String) {
    guard let fields = rows.first?.attributes.fieldList else { return }
    let name = table.lowercased()
    for column in columns where column.table == name {
      guard let position = column.position(in: fields) else { continue }
      let found = rows.compactMap { $0.attributes.values[position].number }.filter(\.isFinite)
      numbers.withLock { $0[column, default: []] += found }
    }
  }

  /// The numbers of a field; `nil` if none were gathered.
  func numbers(of field: String, in table: String) -> [Double]? {
    numbers.withLock { $0[Column(field, of: table)] }
  }
}
