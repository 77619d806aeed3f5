// The practice aid estimator with playwright-core, as one writes it by hand with
// the library's defaults. Jobs come as JSON lines, answers go out as JSON lines.
// Arguments: the folder whose node_modules has playwright-core, the browser.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { writeFile } from 'node:fs/promises';

const [clients, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(clients), 'package.json'))('playwright-core');

const ids = {
  marital_status: { unmarried: 'MaritalStatusUnmarried' },
  grade_level: { freshman: 'CollegeLevelFreshman', sophomore: 'CollegeLevelSophomore', other_undergrad: 'CollegeLevelOther' },
  has_dependents: { no: 'HaveDependentsNo' },
  parents_married: { yes: 'parentMaritalInformation-question1-yes' },
  parent_marital_status: { married: 'ParenFamilyInfoMarried' },
  parent_filed_taxes: { yes: 'FamilySizeChangeYes' },
  student_filed_taxes: { no: 'StudentFiledNo' },
};

// run fills in the form from its landing page to its answer.
async function run(page, { url, data, keep, quality }) {
  const pictures = [];
  const type = (input, id) => page.locator(`#fsa_Input_${input}`).fill(String(data[id]));
  const choose = (id) => page.locator(`label[for="fsa_Radio_${ids[id][data[id]]}"]`).check();
  const pick = async (input, id) => {
    await page.locator(`#fsa_Typeahead_${input}`).fill(data[id]);
    await page.getByRole('option', { name: data[id], exact: true }).click();
  };
  const picture = async () => pictures.push(await page.screenshot({ fullPage: true, type: 'jpeg', quality }));
  const onward = async (path) => {
    await picture();
    await page.locator('#fsa_Button_FlowPrimary').click();
    await page.waitForURL(`**/aid-estimator/estimate/${path}`);
  };

  await page.goto(url);
  await page.getByRole('link', { name: 'Start Estimate' }).click();
  await page.waitForURL('**/aid-estimator/estimate/student-information');

  await type('DateOfBirthMonth', 'birth_month');
  await type('DateOfBirthDay', 'birth_day');
  await type('DateOfBirthYear', 'birth_year');
  await choose('marital_status');
  await pick('StateOfResidence', 'state');
  await choose('grade_level');
  await onward('student-information/personal-circumstances');

  await choose('has_dependents');
  await page.locator('label[for="fsa_Checkbox_none"]').check();
  await onward('parent-marital-status');

  await choose('parents_married');
  await onward('parent-information');

  await choose('parent_marital_status');
  await pick('States', 'parent_state');
  await onward('parent-information/family-size');

  await type('NumInHousehold', 'family_size');
  await onward('financial-information/parent-information');

  await choose('parent_filed_taxes');
  await type('ParentIncome', 'parent_income');
  await type('ParentAssets', 'parent_assets');
  await type('ParentChildSupport', 'parent_child_support');
  await onward('financial-information/student-information');

  await choose('student_filed_taxes');
  await onward('results');

  const terms = await page.locator('dl dt').allTextContents();
  const values = await page.locator('dl dd').allTextContents();
  await picture();

  if (keep) await Promise.all(pictures.map((p, i) => writeFile(join(keep, `${i + 1}.jpg`), p)));
  return {
    pairs: Object.fromEntries(terms.map((t, i) => [t, values[i]])),
    pictures: pictures.length,
    bytes: pictures.reduce((n, p) => n + p.length, 0),
  };
}

const browser = await chromium.launch({ executablePath });

// job answers before the context is closed: cleaning up does not count as waiting.
async function job(line) {
  const { id, ...what } = JSON.parse(line);
  const reply = (answer) => process.stdout.write(JSON.stringify({ id, ...answer }) + '\n');
  const context = await browser.newContext({ viewport: { width: 1280, height: 1024 } });
  try {
    reply(await run(await context.newPage(), what));
  } catch (error) {
    reply({ error: String(error) });
  } finally {
    await context.close();
  }
}

const jobs = [];
for await (const line of createInterface({ input: process.stdin })) jobs.push(job(line));
await Promise.all(jobs);
await browser.close();
