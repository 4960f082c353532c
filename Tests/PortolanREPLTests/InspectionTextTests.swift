import PortolanApp
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanPackages
import Testing

@testable import PortolanREPL

@Suite struct InspectionTextTests {
  @Test func `A table that may mix shapes is not named after the first of them`() {
    var schema = FeatureTableSchema(name: "all", geometryType: .point, hasZ: true, fields: [])
    schema.mayMixShapes = true
    var inspection = Inspection(kind: .geoPackage)
    inspection.tables = [Inspection.Table(schema: schema, count: 2)]
    schema.geometryType = nil
    schema.name = "none"
    inspection.tables.append(Inspection.Table(schema: schema, count: 0))
    let tables = inspection.text.blocks.compactMap { block -> TextTable? in
      guard case .table(let table) = block else { return nil }
      return table
    }
    #expect(tables.first?.rows.map { $0[1] } == ["any shape Z", "any shape Z"])
    #expect(inspection.json["layers"]?[0]?["mayMixShapes"] == true)
  }
}
