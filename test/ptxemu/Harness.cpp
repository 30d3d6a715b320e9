#include "test/ptxemu/Harness.h"

#include "tools/ptxemu/TensorMap.h"

namespace ptxemu {

std::string kernel(const std::string& body, const std::string& before) {
  return ".version 8.6\n.target sm_90a\n.address_size 64\n" + before +
         ".visible .entry k(.param .u64 k_0, .param .u64 k_1)\n{\n"
         ".reg .pred %p<32>; .reg .b16 %h<32>; .reg .b32 %r<128>; .reg .b64 %rd<64>;\n"
         "ld.param.b64 %rd0, [k_0]; ld.param.b64 %rd1, [k_1]; mov.u32 %r0, %tid.x;\n" +
         body + "\nret;\n}\n";
}

Outcome run(const std::string& text, const Conditions& conditions) {
  auto module = load_module(text);
  const Program* program = module->find("k");
  DeviceMemory memory;
  std::vector<std::uint64_t> globals = place_globals(*module, memory);
  std::vector<std::uint32_t> output(conditions.outputs, 0xffffffff);
  std::uint64_t addresses[2] = {memory.allocate(std::max<std::size_t>(4, conditions.input.size() * 4)),
                                memory.allocate(output.size() * 4)};
  memory.write(addresses[0], conditions.input.data(), conditions.input.size() * 4);
  memory.write(addresses[1], output.data(), output.size() * 4);
  if (conditions.prepare)
    conditions.prepare(memory, addresses[0], addresses[1]);
  Launch what;
  what.grid = {conditions.blocks, 1, 1};
  what.block = {conditions.threads, 1, 1};
  what.dynamic_shared = conditions.shared;
  what.parameters = {reinterpret_cast<const std::uint8_t*>(addresses), sizeof addresses};
  what.global_addresses = globals;
  what.options = conditions.options;
  Outcome outcome;
  outcome.report = launch(*program, memory, what);
  memory.read(output.data(), addresses[1], output.size() * 4);
  outcome.output = std::move(output);
  return outcome;
}

std::vector<std::uint32_t> output_of(const std::string& body, const Conditions& conditions, const std::string& before) {
  Outcome outcome = run(kernel(body, before), conditions);
  EXPECT_FALSE(outcome.report) << outcome.report->text;
  return outcome.output;
}

std::string report_of(Problem problem, const std::string& body, const Conditions& conditions, const std::string& before) {
  Outcome outcome = run(kernel(body, before), conditions);
  if (!outcome.report) {
    ADD_FAILURE() << "the kernel ended well";
    return "";
  }
  EXPECT_EQ(outcome.report->problem, problem) << outcome.report->text;
  return outcome.report->text;
}

std::uint64_t value64(const std::string& body, const std::vector<std::uint64_t>& operands) {
  Conditions conditions;
  conditions.threads = 1;
  conditions.outputs = 2;
  std::string loads;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    conditions.input.push_back(static_cast<std::uint32_t>(operands[i]));
    conditions.input.push_back(static_cast<std::uint32_t>(operands[i] >> 32));
    std::string n = std::to_string(11 + i);
    loads.append("ld.global.b64 %rd").append(n).append(", [%rd0+").append(std::to_string(8 * i)).append("]; ");
    loads.append("cvt.u32.u64 %r").append(n).append(", %rd").append(n).append("; ");
    loads.append("cvt.u16.u64 %h").append(n).append(", %rd").append(n).append(";\n");
  }
  std::vector<std::uint32_t> output = output_of(loads + body + "\nst.global.b64 [%rd1], %rd10;", conditions);
  return output[0] | std::uint64_t(output[1]) << 32;
}

std::uint32_t value32(const std::string& body, const std::vector<std::uint64_t>& operands) {
  return static_cast<std::uint32_t>(value64(body + "\nmov.b64 %rd10, {%r10, %r10};", operands));
}

std::uint16_t value16(const std::string& body, const std::vector<std::uint64_t>& operands) {
  return static_cast<std::uint16_t>(value64(body + "\ncvt.u64.u16 %rd10, %h10;", operands));
}

bool truth(const std::string& body, const std::vector<std::uint64_t>& operands) {
  return value32(body + "\nselp.b32 %r10, 1, 0, %p10;", operands) == 1;
}

std::string syntax_error(const std::string& text) {
  try {
    load_module(text);
  } catch (const SyntaxError& error) {
    return error.what();
  }
  return "";
}

void place_map(DeviceMemory& memory, std::uint64_t tensor, std::uint32_t rows, std::uint32_t columns, std::uint32_t box_rows,
               std::uint32_t box_columns, int swizzle, std::uint64_t where) {
  TensorMap map;
  std::uint64_t extents[] = {columns, rows}, strides[] = {4ull * columns};
  std::uint32_t box[] = {box_columns, box_rows}, steps[] = {1, 1};
  ASSERT_EQ(fill_tensor_map(map, 2, 2, tensor, extents, strides, box, steps, 0, swizzle), "");
  std::uint8_t raw[128] = {};
  std::memcpy(raw, &map, sizeof map);
  std::uint64_t address = memory.allocate(128);
  memory.write(address, raw, 128);
  memory.write(where, &address, 8);
}

} // namespace ptxemu
